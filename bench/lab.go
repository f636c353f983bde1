package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/vienkart/vienkart/internal/tenant"
)

type labCompany struct {
	id       tenant.ID
	accounts []tenant.ID
	period   tenant.ID
}

func lab(ctx context.Context, s settings) error {
	h, err := open(ctx, s.tenants)
	if err != nil {
		return err
	}
	defer h.close()
	cfg, err := mysql.ParseDSN(h.mysql.DSN)
	if err != nil {
		return err
	}
	cfg.InterpolateParams, cfg.ParseTime, cfg.MultiStatements = true, true, true
	var name string
	if err := h.admin.Writer().QueryRowContext(ctx, "SELECT DATABASE()").Scan(&name); err != nil {
		return err
	}
	cfg.DBName = name
	con, _ := mysql.NewConnector(cfg)
	db := sql.OpenDB(con)
	var cs []labCompany
	for _, c := range h.companies {
		lc := labCompany{id: c.id}
		rows, err := db.Query("SELECT id FROM ledger_accounts WHERE company_id = ? LIMIT 3", c.id)
		if err != nil {
			return err
		}
		for rows.Next() {
			var a tenant.ID
			if err := rows.Scan(&a); err != nil {
				return err
			}
			lc.accounts = append(lc.accounts, a)
		}
		rows.Close()
		lc.period = tenant.NewID()
		cs = append(cs, lc)
	}
	measure := func(label string, conns int, once func(ctx context.Context, db *sql.DB, c labCompany) error, pool *sql.DB) {
		pool.SetMaxOpenConns(conns)
		pool.SetMaxIdleConns(conns)
		before := h.cpu()
		start := now()
		var n, wait = make([]int, conns), sync.WaitGroup{}
		for i := range conns {
			wait.Go(func() {
				for k := 0; now().Sub(start) < s.duration; k++ {
					if err := once(ctx, pool, cs[(i+k*conns)%len(cs)]); err != nil {
						fmt.Fprintln(os.Stderr, label, err)
						return
					}
					n[i]++
				}
			})
		}
		wait.Wait()
		took := now().Sub(start)
		total := 0
		for _, x := range n {
			total += x
		}
		cpu := h.cpu().minus(before)
		self := ""
		fmt.Fprintf(os.Stderr, "%-50s conns %2d  %6.0f/s  db cpu %.3f ms %s\n", label, conns, float64(total)/took.Seconds(), cpu.database.Seconds()*1000/float64(total), self)
	}
	raw := func(ctx context.Context, db *sql.DB, c labCompany) error { return rawMutation(ctx, db, c.id) }
	try := func(label string) {
		measure("raw", 16, raw, h.raw)
		for _, trips := range []int{6} {
			measure(fmt.Sprintf("%s, %d trips", label, trips), 16, func(ctx context.Context, db *sql.DB, c labCompany) error { return labPost(ctx, db, c, trips) }, db)
		}
	}
	try("as it is")
	for _, step := range strings.Split(os.Getenv("LAB"), "|") {
		label, ddl, _ := strings.Cut(step, "=")
		if ddl == "" {
			continue
		}
		for _, d := range strings.Split(ddl, ";") {
			if _, err := h.admin.Writer().ExecContext(ctx, d); err != nil {
				fmt.Fprintln(os.Stderr, d, err)
			}
		}
		try(label)
	}
	time.Sleep(0)
	return nil
}

const labAuth = `SELECT c.id, c.name, c.code, c.vat_code, c.sme_exemption_number, c.is_vat_payer, c.is_sandbox, c.country_code,
	c.base_currency, c.default_invoice_currency, c.time_zone, c.require_idempotency_key, c.status, c.street, c.city, c.postal_code,
	c.address_country, c.email, c.phone, c.iban, c.bank_name, c.peppol_id, c.logo_file_id, c.cash_accounting_from,
	c.cash_accounting_until, c.created_at, c.updated_at, c.deleted_at, c.purge_after, COALESCE(v.version, 0), k.id IS NOT NULL, k.revoked_at, u.id IS NOT NULL, m.role, s.id, s.user_id, s.proof,
	s.created_at, s.expires_at, s.revoked_at
	FROM companies c LEFT JOIN chart_versions v ON v.company_id = c.id LEFT JOIN api_keys k ON k.company_id = c.id AND k.id = x'00000000000000000000000000000000'
	LEFT JOIN users u ON u.id = x'00000000000000000000000000000000' LEFT JOIN memberships m ON m.company_id = c.id AND m.user_id = u.id
	LEFT JOIN sessions s ON s.jti_hash = NULL WHERE c.id = ?`

const labLook = `SELECT k.state, k.fingerprint, k.expires_at <= UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
		k.status, k.content_type, k.location, k.response, k.request_id, k.created_at, k.expires_at
		FROM companies c LEFT JOIN idempotency_keys k ON k.company_id = c.id AND k.idempotency_key = ? WHERE c.id = ?`

const labClaim = `SET STATEMENT innodb_lock_wait_timeout=0 FOR INSERT INTO idempotency_keys
		(company_id, idempotency_key, state, fingerprint, method, route, query, media_type, request, request_id, actor, attempt,
		replay_count, created_at, expires_at)
		VALUES (?, ?, 'running', ?, 'POST', '/v1/ledger/journal/transactions/create', '', 'application/json', ?, ?, 'bench', ?, 0, UTC_TIMESTAMP(6), '2026-12-12 14:49:48.093205')`

const labPeriod = `SELECT status FROM ledger_periods WHERE company_id = ? AND id = ? LOCK IN SHARE MODE`

const labDone = `UPDATE idempotency_keys SET state = 'done', status = 200, content_type = 'application/json', location = NULL,
		response = ?, resource_type = 'journal_transaction', resource_id = ? WHERE company_id = ? AND idempotency_key = ? AND attempt = ?`

func labPost(ctx context.Context, db *sql.DB, c labCompany, trips int) error {
	key, attempt, t := tenant.NewID(), tenant.NewID(), tenant.NewID()
	drain := func(q string, args ...any) error {
		rows, err := db.QueryContext(ctx, q, args...)
		if err != nil {
			return err
		}
		for {
			for rows.Next() {
			}
			if !rows.NextResultSet() {
				break
			}
		}
		rows.Close()
		return rows.Err()
	}
	if trips == 6 {
		if err := drain(labAuth, c.id); err != nil {
			return err
		}
		if err := drain(labLook, key.String(), c.id); err != nil {
			return err
		}
	} else if err := drain(labAuth+";"+labLook, c.id, key.String(), c.id); err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	request := entryBody
	claim := []any{c.id, key.String(), make([]byte, 32), request, tenant.NewID().String(), attempt}
	q := func(query string, args ...any) error {
		rows, err := conn.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		for {
			for rows.Next() {
			}
			if !rows.NextResultSet() {
				break
			}
		}
		rows.Close()
		return rows.Err()
	}
	if trips == 6 {
		if _, err := conn.ExecContext(ctx, "START TRANSACTION;"+labClaim, claim...); err != nil {
			return err
		}
		if err := q(labPeriod, c.id, c.period); err != nil {
			return err
		}
	} else if err := q("START TRANSACTION;"+labClaim+";"+labPeriod, append(claim, c.id, c.period)...); err != nil {
		return err
	}
	diff := `{"after":{"id":"01a23215-533d-7f1e-867e-b12e134ade37","date":"2026-03-02","description":"Load","entries":[{"accountCode":"2410","debit":"121.00","credit":"0.00"},{"accountCode":"5000","debit":"0.00","credit":"100.00"},{"accountCode":"4492","debit":"0.00","credit":"21.00"}]}}`
	answer := `{"id":"01a23215-533d-7f1e-867e-b12e134ade37","date":"2026-03-02","description":"Load","status":"posted","createdAt":"2026-12-01T14:49:48.093439Z","postedAt":"2026-12-01T14:49:48.093439Z"}`
	text := `INSERT INTO journal_transactions (company_id, id, transaction_date, description, document_type, document_id, reverses_id, posted_at) VALUES (?, ?, '2026-03-02', 'Load', NULL, NULL, NULL, '2026-12-01 14:49:48.093439');
		INSERT INTO journal_entries (company_id, id, transaction_id, line_no, transaction_date, account_id,
		currency, debit_minor, credit_minor, base_debit_minor, base_credit_minor, description) VALUES (?, ?, ?, 1, '2026-03-02', ?, 'EUR', 12100, 0, 12100, 0, NULL), (?, ?, ?, 2, '2026-03-02', ?, 'EUR', 0, 10000, 0, 10000, NULL), (?, ?, ?, 3, '2026-03-02', ?, 'EUR', 0, 2100, 0, 2100, NULL);
		INSERT INTO audit_log (company_id, id, actor_type, actor_id, action, entity, entity_id, diff, request_id, created_at) VALUES (?, ?, 'user', 'bench', 'journal_transaction.posted', 'journal_transaction', ?, ?, ?, '2026-12-01 14:49:48.093439');` + labDone
	args := []any{c.id, t, c.id, tenant.NewID(), t, c.accounts[0], c.id, tenant.NewID(), t, c.accounts[1], c.id, tenant.NewID(), t, c.accounts[2],
		c.id, labID(), t.String(), diff, tenant.NewID().String(), answer, t.String(), c.id, key.String(), attempt}
	if trips == 3 {
		_, err := conn.ExecContext(ctx, text+";COMMIT", args...)
		return err
	}
	if _, err := conn.ExecContext(ctx, text, args...); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

var labLast = time.Now().UnixNano() / 1000
var labMu sync.Mutex

func labID() int64 { labMu.Lock(); defer labMu.Unlock(); labLast++; return labLast }
