package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// place is a database with a configuration for commands on it.
type place struct {
	*testkit.Engine
	cfg *config
}

func newPlace(t *testing.T, engine string) place {
	t.Helper()
	e, adminURL := testkit.Apart(t, engine)
	if engine == "SQLite" {
		return place{e, &config{DatabaseURL: e.URL}}
	}
	return place{e, &config{DatabaseURL: e.URL, AdminDatabaseURL: adminURL}}
}

func (p place) demo(t *testing.T) tenant.ID {
	t.Helper()
	d, err := createDemo(t.Context(), p.System, process.Tokens(t))
	require.NoError(t, err)
	return d.CompanyID
}

func (p place) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	_, err := p.Admin.Writer().ExecContext(t.Context(), query, args...)
	require.NoError(t, err)
}

func (p place) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, p.DB.Reader().QueryRowContext(t.Context(), query, args...).Scan(&n))
	return n
}

// furnish stores what a month of books lacks: a key, a file inside and one in a folder.
func (p place) furnish(t *testing.T, company tenant.ID) (inside, outside *files.File) {
	t.Helper()
	now := clock.At(clock.System{}.Now())
	p.exec(t, `INSERT INTO idempotency_keys (company_id, idempotency_key, state, fingerprint, method, route, media_type, query, request, request_id,
		actor, attempt, status, response, replay_count, created_at, expires_at)
		VALUES (?, ?, 'done', ?, 'POST', '/', '', '', ?, '', '', ?, 200, ?, 0, ?, ?)`,
		company, []byte("K"), make([]byte, 32), []byte("x"), tenant.NewID(), []byte("{}"), now, clock.At(now.Add(time.Hour)))
	scope, err := p.System.Scope(t.Context(), company, "test")
	require.NoError(t, err)
	p.cfg.FilesDir = t.TempDir()
	keep := func(depot files.Depot, content []byte) *files.File {
		var f *files.File
		require.NoError(t, p.Store.Mutate(t.Context(), scope, func(ctx context.Context, tx tenant.Tx) (err error) {
			f, err = depot.Save(ctx, tx, files.New{Entity: "company", EntityID: company.String(), FileName: "a.txt", MIMEType: "text/plain", Content: content})
			return err
		}))
		return f
	}
	return keep(files.Depot{}, []byte("inside")), keep(files.NewDepot(p.cfg.FilesDir), bytes.Repeat([]byte("outside "), 200_000))
}

func (p place) export(t *testing.T, company tenant.ID) string {
	t.Helper()
	name := t.TempDir() + "/" + company.String() + ".company"
	require.NoError(t, companyExport{Company: company.String(), Out: name}.Run(t.Context(), p.cfg))
	return name
}

func linesOf(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	reader, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	return strings.SplitAfter(string(text), "\n")
}

// rowsOf are the lines that a company's rows decide, without what moving itself wrote into its log.
func rowsOf(t *testing.T, name string) []string {
	t.Helper()
	lines := linesOf(t, name)
	var rows []string
	for _, line := range lines[1 : len(lines)-2] {
		isMove := strings.HasPrefix(line, `["company.exported"`) || strings.HasPrefix(line, `["company.imported"`)
		if !isMove && !strings.HasPrefix(line, `{"rows":`) {
			rows = append(rows, line)
		}
	}
	return rows
}

// packLines makes a file whose digest is right.
func packLines(t *testing.T, lines []string) string {
	t.Helper()
	body := strings.Join(lines[:len(lines)-2], "")
	digest := sha256.Sum256([]byte(body))
	last := lines[len(lines)-2]
	at := strings.Index(last, `"sha256":"`) + len(`"sha256":"`)
	name := t.TempDir() + "/made.company"
	file, err := os.Create(name)
	require.NoError(t, err)
	packed := gzip.NewWriter(file)
	_, err = io.WriteString(packed, body+last[:at]+hex.EncodeToString(digest[:])+"\"}\n")
	require.NoError(t, err)
	require.NoError(t, packed.Close())
	require.NoError(t, file.Close())
	return name
}

func eachWay(t *testing.T, test func(t *testing.T, from, to place)) {
	t.Helper()
	for _, from := range []string{"SQLite", "MySQL"} {
		for _, to := range []string{"SQLite", "MySQL"} {
			t.Run("From"+from+"To"+to, func(t *testing.T) {
				t.Parallel()
				test(t, newPlace(t, from), newPlace(t, to))
			})
		}
	}
}

func TestCompanyMoves(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, from, to place) {
		company, neighbour := from.demo(t), from.demo(t)
		inside, outside := from.furnish(t, company)
		file := from.export(t, company)
		require.NotContains(t, strings.Join(linesOf(t, file), ""), base64.StdEncoding.EncodeToString(neighbour[:]), "nothing of another company")
		there := to.demo(t)
		before := to.count(t, "SELECT COUNT(*) FROM journal_entries WHERE company_id = ?", there)

		require.NoError(t, companyImport{File: file}.Run(t.Context(), to.cfg))
		require.Equal(t, rowsOf(t, file), rowsOf(t, to.export(t, company)), "the same rows are the same lines")
		require.ErrorIs(t, companyImport{File: file}.Run(t.Context(), to.cfg), backup.ErrCompanyExists)
		require.Equal(t, before, to.count(t, "SELECT COUNT(*) FROM journal_entries WHERE company_id = ?", there))
		require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND action = 'company.imported'", company))
		require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND action = 'company.exported'", company)-1)
		process.RequireVerified(t, to.Engine)

		scope, err := to.System.Scope(t.Context(), company, "test")
		require.NoError(t, err)
		require.NoError(t, to.Store.Snapshot(t.Context(), scope, func(ctx context.Context, r tenant.ReadTx) error {
			for id, content := range map[tenant.ID][]byte{inside.ID: []byte("inside"), outside.ID: bytes.Repeat([]byte("outside "), 200_000)} {
				f, err := files.Get(ctx, r, id)
				require.NoError(t, err)
				found, err := files.Depot{}.Content(ctx, r, *f)
				require.NoError(t, err)
				require.Equal(t, content, found)
			}
			return nil
		}))
		// The session that imported follows references again.
		_, err = to.DB.Writer().ExecContext(t.Context(), "INSERT INTO posting_rules (company_id, id, rule_key, account_code, updated_at) VALUES (?, ?, 'x', 'none', ?)",
			company, tenant.NewID(), clock.At(clock.System{}.Now()))
		require.Error(t, err)
	})
}

func TestPeopleOfAMovedCompany(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, from, to place) {
		open := func(p place, name, email string) (tenant.ID, tenant.User) {
			c, user, err := account.Found(t.Context(), p.Store.Door(), tenant.Visitor{RequestID: "test"},
				account.Founding{Opening: account.Opening{CountryCode: "LT"}, Profile: account.Profile{Name: &name}, Admin: email})
			require.NoError(t, err)
			return c.ID, user
		}
		company, known := open(from, "UAB Viena", " Ona@Example.lt")
		second, again := open(from, "UAB Antra", "ona@example.lt")
		require.Equal(t, known.ID, again.ID, "an address is one user")
		_, there := open(to, "UAB Trečia", "ona@example.lt")
		for _, id := range []tenant.ID{company, second} {
			require.NoError(t, companyImport{File: from.export(t, id)}.Run(t.Context(), to.cfg))
		}
		require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM users WHERE email = 'ona@example.lt'"))
		require.Equal(t, 3, to.count(t, "SELECT COUNT(*) FROM memberships WHERE user_id = ?", there.ID), "she is who she was here")
		process.RequireVerified(t, to.Engine)
	})
}

// A file may come from anywhere: one that was made by hand, with a right digest, must not reach another company.
func TestImportRefusesForgedFiles(t *testing.T) {
	t.Parallel()
	from, to := newPlace(t, "SQLite"), newPlace(t, "SQLite")
	company, victim := from.demo(t), to.demo(t)
	lines := linesOf(t, from.export(t, company))
	own, other := base64.StdEncoding.EncodeToString(company[:]), base64.StdEncoding.EncodeToString(victim[:])
	forge := func(change func(lines []string)) string {
		forged := append([]string{}, lines...)
		change(forged)
		return packLines(t, forged)
	}
	tableOf := func(of []string, name string) int {
		for i, line := range of {
			if strings.HasPrefix(line, `{"table":"`+name+`"`) {
				return i
			}
		}
		t.Fatalf("no table %s", name)
		return 0
	}
	for name, example := range map[string]struct { //nolint:paralleltest // they share a database whose rows are counted
		file  string
		fault string
	}{
		"RowOfAnother": {forge(func(l []string) {
			i := tableOf(l, "journal_entries") + 1
			l[i] = strings.ReplaceAll(l[i], own, other)
		}), "is not of the company"},
		"CompanyOfAnother": {forge(func(l []string) {
			i := tableOf(l, "companies") + 1
			l[i] = strings.ReplaceAll(l[i], own, other)
		}), "is not of the company"},
		"AmountChanged": {forge(func(l []string) {
			i := tableOf(l, "journal_entries") + 1
			l[i] = strings.ReplaceAll(l[i], "1000000", "1000001")
		}), "nothing was imported"},
		"ReferenceNowhere": {forge(func(l []string) {
			i := tableOf(l, "journal_entries") + 1
			l[i] = `["` + base64.StdEncoding.EncodeToString(make([]byte, 16)) + l[i][26:]
		}), "nothing was imported"},
		"WholeBackup": {func() string {
			name := t.TempDir() + "/whole"
			require.NoError(t, backupCommand{File: name}.Run(t.Context(), from.cfg))
			return name
		}(), `this server reads "vienkart-company"`},
	} {
		t.Run(name, func(t *testing.T) {
			before := to.count(t, "SELECT COUNT(*) FROM journal_entries")
			err := companyImport{File: example.file}.Run(t.Context(), to.cfg)
			require.ErrorContains(t, err, example.fault)
			require.Equal(t, before, to.count(t, "SELECT COUNT(*) FROM journal_entries"))
			require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM companies"))
		})
	}
}

// However far an import came when it was killed, nothing of it is there, and it can be run again.
func TestImportIsKilled(t *testing.T) {
	t.Parallel()
	from := newPlace(t, "SQLite")
	company := from.demo(t)
	from.furnish(t, company)
	file := from.export(t, company)
	for _, engine := range []string{"SQLite", "MySQL"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			to := newPlace(t, engine)
			killed := 0
			for i := 1; i <= 40; i++ {
				command := exec.CommandContext(t.Context(), process.Binary(t), "company", "import", file)
				command.Dir = t.TempDir()
				command.Env = []string{"VIENKART_DATABASE_URL=" + to.URL}
				require.NoError(t, command.Start())
				timer := time.AfterFunc(time.Duration(i)*25*time.Millisecond, func() { _ = command.Process.Kill() })
				err := command.Wait()
				timer.Stop()
				companies := to.count(t, "SELECT COUNT(*) FROM companies")
				if companies == 0 {
					require.Error(t, err)
					killed++
					for _, table := range []string{"users", "journal_entries", "file_chunks", "audit_log"} {
						require.Zero(t, to.count(t, "SELECT COUNT(*) FROM "+table), "%s after %d kills", table, killed)
					}
					continue
				}
				break
			}
			require.Positive(t, killed)
			require.Equal(t, 1, to.count(t, "SELECT COUNT(*) FROM companies"))
			require.Equal(t, rowsOf(t, file), rowsOf(t, to.export(t, company)))
			process.RequireVerified(t, to.Engine)
		})
	}
}

func TestPurge(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"SQLite", "MySQL"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, engine)
			company, neighbour := p.demo(t), p.demo(t)
			_, outside := p.furnish(t, company)
			kept := rowsOf(t, p.export(t, neighbour))
			purge := func(c companyPurge) error { return c.Run(t.Context(), p.cfg) }

			require.ErrorContains(t, purge(companyPurge{Company: company.String()}), "is active")
			later := clock.At(clock.System{}.Now().Add(time.Hour))
			p.exec(t, "UPDATE companies SET status = 'deleted', deleted_at = created_at, purge_after = ? WHERE id = ?", later, company)
			require.ErrorContains(t, purge(companyPurge{Company: company.String()}), "brought back until")
			require.NoError(t, purge(companyPurge{Due: true}))
			require.Equal(t, 2, p.count(t, "SELECT COUNT(*) FROM companies"), "none is due")
			p.exec(t, "UPDATE companies SET purge_after = created_at WHERE id = ?", company)
			folder := p.cfg.FilesDir + "/" + company.String()
			require.DirExists(t, folder)
			require.NoError(t, purge(companyPurge{Due: true}))

			require.NoDirExists(t, folder, outside.ID)
			tables, err := p.DB.TenantTables(t.Context())
			require.NoError(t, err)
			for _, table := range tables {
				require.Zero(t, p.count(t, "SELECT COUNT(*) FROM "+table+" WHERE company_id = ?", company), table)
			}
			require.Equal(t, kept, rowsOf(t, p.export(t, neighbour)), "the other company is untouched")
			for _, statement := range []string{"DELETE FROM journal_entries", "UPDATE audit_log SET action = 'x'"} {
				_, err := p.DB.Writer().ExecContext(t.Context(), statement)
				require.Error(t, err, "the guards are back")
			}
			require.ErrorContains(t, purge(companyPurge{Company: company.String()}), "There is no company")
			require.NoError(t, purge(companyPurge{Company: neighbour.String(), Now: true}))
			process.RequireVerified(t, p.Engine)
		})
	}
}

func TestPurgeKeepsRealBooks(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"SQLite", "MySQL"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			p, other := newPlace(t, engine), newPlace(t, "SQLite")
			company := p.demo(t)
			p.exec(t, "UPDATE companies SET is_sandbox = 0 WHERE id = ?", company)
			purge := func(file string) error {
				return companyPurge{Company: company.String(), Now: true, Exported: file}.Run(t.Context(), p.cfg)
			}
			require.ErrorContains(t, purge(""), "ten years")
			require.ErrorContains(t, purge(p.export(t, company)), "archive it")
			p.exec(t, "UPDATE companies SET status = 'archived' WHERE id = ?", company)
			early := p.export(t, company)
			file := p.export(t, company)
			require.ErrorContains(t, purge(early), "has changed since")
			require.ErrorContains(t, purge(other.export(t, other.demo(t))), "is of the company")
			require.NoError(t, companyImport{File: file}.Run(t.Context(), other.cfg))
			require.NoError(t, purge(file))
			require.Zero(t, p.count(t, "SELECT COUNT(*) FROM companies"))
			process.RequireVerified(t, other.Engine)
		})
	}
}

func TestCompanyCommands(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	said, code := process.Run(t, e, "company", "create", "--name", "UAB Pirmoji", "--admin", "Ona@Example.lt", "--vat-code", "LT999000113")
	require.Equal(t, 0, code, said)
	said, code = process.Run(t, e, "company", "create", "--name", "UAB Antroji", "--admin", "nobody")
	require.Equal(t, 1, code)
	require.Contains(t, said, "email must be an e-mail address")
	companies, err := tenant.SystemQuery[tenant.Company](t.Context(), e.System, "SELECT * FROM companies")
	require.NoError(t, err)
	require.Len(t, companies, 1)
	require.True(t, companies[0].IsVATPayer)
	require.False(t, companies[0].IsSandbox)
	said, code = process.Run(t, e, "company", "list")
	require.Equal(t, 0, code, said)
	require.Contains(t, said, fmt.Sprintf("%s  UAB Pirmoji  active\n", companies[0].ID))
	process.Start(t, e)
	for _, args := range [][]string{{"company", "purge", companies[0].ID.String()}, {"company", "import", os.DevNull}} {
		said, code = process.Run(t, e, args...)
		require.Equal(t, 1, code)
		require.Contains(t, said, "SQLite file")
	}
	said, code = process.Run(t, e, "company", "export", companies[0].ID.String(), "--out", t.TempDir()+"/x")
	require.Equal(t, 0, code, said)
	process.RequireVerified(t, e)
}

func TestTenantsTakeTheirCompanyAlong(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	client, _ := server.Company(t, e)
	client.OK(t, "/v1/partners/create", map[string]any{"name": "UAB Ąžuolas"}, nil)
	var out struct {
		FileName  string `json:"fileName"`
		SizeBytes int    `json:"sizeBytes"`
		SHA256    string `json:"sha256"`
		Content   []byte `json:"content"`
	}
	client.OK(t, "/v1/account/companies/export", map[string]any{}, &out)
	require.Len(t, out.Content, out.SizeBytes)
	name := t.TempDir() + "/" + out.FileName
	require.NoError(t, os.WriteFile(name, out.Content, 0o600))
	require.Contains(t, linesOf(t, name)[len(linesOf(t, name))-2], out.SHA256)
	target := newPlace(t, "SQLite")
	said, code := process.Run(t, target.Engine, "company", "import", name)
	require.Equal(t, 0, code, said)
	require.Equal(t, 1, target.count(t, "SELECT COUNT(*) FROM partners WHERE name = 'UAB Ąžuolas'"))
	process.RequireVerified(t, target.Engine)
}

// A person asks to be forgotten: contact goes, the invoice stays what it is, and after ten years the operator finishes.
func TestPersonIsForgotten(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	client, company := server.Company(t, e)
	const path, name = "/v1/partners/", "Jonas Jonaitis"
	id := client.OK(t, path+"create", map[string]any{"name": name, "type": "person", "email": "jonas@example.lt", "code": "38001010000"}, nil).ID(t)
	client.Post(t, path+"create", map[string]any{"name": name, "type": "person", "email": "jonas@example.lt", "code": "38001010000"}, process.Key("again")).
		RequireRefused(t, 409, "partner.duplicate_code")
	sale := client.OK(t, "/v1/sales/invoices/create", map[string]any{
		"partnerId": id, "lines": []any{map[string]any{"description": "Paslauga", "unitPriceExclVat": "100.00"}},
	}, nil).ID(t)
	client.Post(t, path+"redact", map[string]any{"id": id}).RequireRefused(t, 409, "partner.unfinished")
	client.OK(t, "/v1/sales/invoices/issue", map[string]any{"id": sale}, nil)
	accountant := client.As(process.Token(t, tenant.Grant{Company: company.Scope.Company().ID, Role: tenant.RoleAccountant}))
	accountant.Post(t, path+"redact", map[string]any{"id": id}).RequireRefused(t, 403, "forbidden")

	var redacted struct {
		Name              string  `json:"name"`
		Email             *string `json:"email"`
		IdentityKeptUntil string  `json:"identityKeptUntil"`
	}
	answer := client.OK(t, path+"redact", map[string]any{"id": id}, nil)
	require.NoError(t, json.Unmarshal(answer.Body, &redacted))
	require.Equal(t, name, redacted.Name, "the invoice is made out to it")
	require.Nil(t, redacted.Email)
	require.Equal(t, fmt.Sprintf("%d-12-31", clock.System{}.Now().Year()+10), redacted.IdentityKeptUntil)
	at := place{e, &config{DatabaseURL: e.URL}}
	refusals, err := tenant.SystemQuery[[]byte](t.Context(), e.System, "SELECT refused_request FROM idempotency_rejections WHERE existing_id = ?", id)
	require.NoError(t, err)
	require.Len(t, refusals, 1)
	require.NotContains(t, string(refusals[0]), "jonas@example.lt")
	process.RequireVerified(t, e)
	server.Stop(t)

	require.NoError(t, companyRedact{}.Run(t.Context(), at.cfg))
	require.Equal(t, 1, at.count(t, "SELECT COUNT(*) FROM vat_register WHERE partner_name = ?", name), "not before its time")
	due, err := finishRedactions(t.Context(), e.At(clock.System{}.Now().AddDate(11, 0, 0)).System)
	require.NoError(t, err)
	require.Equal(t, 1, due)
	require.Zero(t, at.count(t, "SELECT COUNT(*) FROM vat_register WHERE partner_name = ?", name))
	require.Zero(t, at.count(t, "SELECT COUNT(*) FROM partners WHERE name = ?", name))
	process.RequireVerified(t, e)
}
