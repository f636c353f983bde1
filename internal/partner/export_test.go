package partner

// Referrer is the check for documents of a partner.
const Referrer = referrer
