package tidy_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/migrations"
)

// judged are the migrations that the rule below cannot judge by their words, each with the reason why the release before goes on;
// for one that takes something away, the release that stopped needing it (decision 0025).
var judged = map[string]string{
	"00140_companies_cash_accounting.sql": "its CHECK looks at the new columns alone, which old code leaves null",
	"00167_open_items_open_dropped.sql":   "no statement names the index, and the one made before it has the same columns in another order",
	"00150_ledger_accounts_saft.sql":      "its CHECK looks at the new columns alone, which old code leaves null",
}

var (
	createsTable = regexp.MustCompile(`^CREATE TABLE (\w+) `)
	createsIndex = regexp.MustCompile(`^CREATE (UNIQUE )?INDEX \w+ ON (\w+) `)
	createsGuard = regexp.MustCompile(`^CREATE TRIGGER \w+ BEFORE (?:UPDATE|DELETE) ON (\w+) `)
	addsColumn   = regexp.MustCompile(`^ALTER TABLE \w+ ADD COLUMN \w+ `)
	comment      = regexp.MustCompile(`(?m)--.*$`)
	inBrackets   = regexp.MustCompile(`\([^()]*\)`)
	demands      = regexp.MustCompile(`, |\b(?:CHECK|REFERENCES|UNIQUE)\b`)
	guardBody    = regexp.MustCompile(`(?s)\bBEGIN\b.*?\bEND;`)
)

// Servers of the release before go on working on the schema of a migration, so a migration adds and asks nothing new of old
// rows and of old code.
func TestMigrationsOnlyExpand(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		statement string
		fault     string
	}{
		"NewTable":             {"CREATE TABLE a (id INTEGER NOT NULL);", ""},
		"IndexOfANewTable":     {"CREATE TABLE a (id INTEGER NOT NULL);\nCREATE UNIQUE INDEX a_id ON a (id);", ""},
		"Index":                {"CREATE INDEX a_id ON a (id);", ""},
		"UniqueIndexOnOldRows": {"CREATE UNIQUE INDEX a_id ON a (id);", "asks more of rows"},
		"NullableColumn":       {"ALTER TABLE a ADD COLUMN b TEXT NULL;", ""},
		"ColumnWithDefault":    {"ALTER TABLE a ADD COLUMN b BOOLEAN NOT NULL DEFAULT FALSE;", ""},
		"ColumnThatOldCodeLeavesOut": {
			"ALTER TABLE a ADD COLUMN b TEXT NOT NULL;", "NOT NULL without DEFAULT",
		},
		"DecimalColumn":         {"ALTER TABLE a ADD COLUMN b DECIMAL(22,10) NULL;", ""},
		"ColumnWithAReference":  {"ALTER TABLE a ADD COLUMN b BLOB NULL REFERENCES c (id);", "may break the release before"},
		"ColumnAndConstraint":   {"ALTER TABLE a ADD COLUMN b TEXT NULL, ADD CONSTRAINT c CHECK (b > 0);", "may break the release before"},
		"DropColumn":            {"ALTER TABLE a DROP COLUMN b;", "may break the release before"},
		"DropTable":             {"DROP TABLE a;", "may break the release before"},
		"Rename":                {"ALTER TABLE a RENAME COLUMN b TO c;", "may break the release before"},
		"OtherType":             {"ALTER TABLE a MODIFY COLUMN b BIGINT NOT NULL;", "may break the release before"},
		"MovesRows":             {"UPDATE a SET b = 1;", "may break the release before"},
		"GuardOfANewTable":      {"CREATE TABLE a (id INTEGER);\nCREATE TRIGGER g BEFORE UPDATE ON a\nBEGIN\n  SELECT 1;\nEND;", ""},
		"GuardOfATableInUse":    {"CREATE TRIGGER g BEFORE UPDATE ON a\nBEGIN\n  SELECT 1;\nEND;", "asks more of rows"},
		"WordsInACommentAreNot": {"-- DROP TABLE a;\nCREATE INDEX a_id ON a (id);", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := migrationFaults("x.sql", example.statement)
			if example.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], example.fault)
		})
	}
	t.Run("RepositoryKeepsIt", func(t *testing.T) {
		t.Parallel()
		var faults []string
		for _, folder := range []string{"mysql", "sqlite"} {
			list, err := migrations.Files.ReadDir(folder)
			require.NoError(t, err)
			require.NotEmpty(t, list)
			for _, f := range list {
				text, err := migrations.Files.ReadFile(folder + "/" + f.Name())
				require.NoError(t, err)
				if judged[f.Name()] == "" {
					faults = append(faults, migrationFaults(folder+"/"+f.Name(), string(text))...)
				}
			}
		}
		require.Empty(t, faults, "expand now and contract a release later (CONTRIBUTING.md), then list the file in judged")
	})
}

func migrationFaults(name, text string) []string {
	text = guardBody.ReplaceAllString(comment.ReplaceAllString(text, ""), ";")
	own := map[string]bool{}
	var faults []string
	fault := func(statement, what string) {
		faults = append(faults, fmt.Sprintf("%s: %s: %.60s", name, what, statement))
	}
	for statement := range strings.SplitSeq(text, ";") {
		statement = strings.Join(strings.Fields(statement), " ") + " "
		switch {
		case statement == " ":
		case createsTable.MatchString(statement):
			own[createsTable.FindStringSubmatch(statement)[1]] = true
		case createsIndex.MatchString(statement):
			if m := createsIndex.FindStringSubmatch(statement); m[1] != "" && !own[m[2]] {
				fault(statement, "a unique index asks more of rows than the release before")
			}
		case createsGuard.MatchString(statement):
			if !own[createsGuard.FindStringSubmatch(statement)[1]] {
				fault(statement, "a guard asks more of rows than the release before")
			}
		case addsColumn.MatchString(statement) && !demands.MatchString(inBrackets.ReplaceAllString(statement, "")):
			if strings.Contains(statement, "NOT NULL") && !strings.Contains(statement, "DEFAULT") {
				fault(statement, "NOT NULL without DEFAULT")
			}
		default:
			fault(statement, "may break the release before")
		}
	}
	return faults
}
