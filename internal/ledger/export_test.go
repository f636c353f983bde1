package ledger

// EntrySums is the query whose plan a test looks at.
const EntrySums = entrySums
