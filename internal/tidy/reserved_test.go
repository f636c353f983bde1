package tidy_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/migrations"
)

// reservedByMySQL are the words that MySQL 9.7 takes for its own and MariaDB 10.11, which most tests run on, lets through as
// names. What both refuse no test lets through.
var reservedByMySQL = regexp.MustCompile(`\b(cube|cume_dist|database|dense_rank|empty|external|first_value|function|generated|get|` +
	`grouping|groups|io_after_gtids|io_before_gtids|json_table|lag|last_value|lateral|lead|library|nth_value|ntile|of|optimizer_costs|` +
	`option|percent_rank|qualify|rank|row|schema|stored|system|tablesample|virtual|window)\b`)

var (
	// A statement has its verbs in capitals and its names in small letters, so prose is not taken for one, nor a verb for a name.
	statement  = regexp.MustCompile(`\b(SELECT|FROM|WHERE|UPDATE|HAVING|TABLE|INDEX)\s`)
	quotedText = regexp.MustCompile(`'[^']*'`)
)

func TestReservedWords(t *testing.T) {
	t.Parallel()
	for text, faults := range map[string]int{
		"SELECT 1 AS stored, rank FROM a":                 2,
		"SELECT 1 AS kept FROM rows_stored":               0,
		"SELECT 1 FROM a WHERE kind = 'of the system'":    0,
		"CREATE TABLE groups (lead INTEGER NOT NULL);":    2,
		"-- a row of the schema\nCREATE TABLE a (b TEXT)": 0,
		"the number of the row":                           0,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Len(t, reservedWords(text), faults)
		})
	}
	t.Run("RepositoryHasNone", func(t *testing.T) {
		t.Parallel()
		var faults []string
		for _, file := range goSources(t) {
			ast.Inspect(file.syntax, func(node ast.Node) bool {
				if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING && file.path != "internal/tidy/reserved_test.go" {
					for _, word := range reservedWords(text.Value) {
						faults = append(faults, fmt.Sprintf("%s:%d: %s", file.path, file.line(text.Pos()), word))
					}
				}
				return true
			})
		}
		list, err := migrations.Files.ReadDir("mysql")
		require.NoError(t, err)
		require.NotEmpty(t, list)
		for _, f := range list {
			text, err := migrations.Files.ReadFile("mysql/" + f.Name())
			require.NoError(t, err)
			for _, word := range reservedWords(string(text)) {
				faults = append(faults, f.Name()+": "+word)
			}
		}
		require.Empty(t, faults, "MySQL would not take these names")
	})
}

// reservedWords are the names in a statement or a migration that MySQL refuses; other text has none.
func reservedWords(text string) []string {
	if !statement.MatchString(text) {
		return nil
	}
	return reservedByMySQL.FindAllString(quotedText.ReplaceAllString(comment.ReplaceAllString(text, ""), ""), -1)
}
