package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// clones makes companies that are like a new one in every row: ids are of a company, so a clone has the same.
func (h *house) clones(ctx context.Context, n int) ([]company, error) {
	began := now()
	model, err := h.found(ctx, "UAB Pavyzdys")
	if err != nil {
		return nil, err
	}
	db, err := h.fillingSession(ctx)
	if err != nil {
		return nil, err
	}
	f := &filler{db: db, company: model, columns: map[string][]string{}}
	if err := f.end(ctx, f.clone(ctx, n)); err != nil {
		return nil, err
	}
	made := make([]company, n)
	for i := range made {
		made[i] = model
		made[i].id = ofCopy(made[i].id, i+1)
		if made[i].token, err = sign(made[i].id); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(os.Stderr, "%d companies in %s\n", n, now().Sub(began).Round(time.Second))
	return made, nil
}

// ofCopy is idOfCopy.
func ofCopy(id tenant.ID, n int) tenant.ID {
	binary.BigEndian.PutUint64(id[:], 1<<56|uint64(n)<<16|uint64(id[6])<<8|uint64(id[7]))
	return id
}

func (f *filler) clone(ctx context.Context, n int) error {
	if err := f.tables(ctx); err != nil {
		return err
	}
	if err := f.numbers(ctx, n); err != nil {
		return err
	}
	tables, err := f.ofCompanies(ctx)
	if err != nil {
		return err
	}
	for _, table := range append([]string{"companies"}, tables...) {
		names, err := f.columnsOf(ctx, table)
		if err != nil {
			return err
		}
		key := map[bool]string{true: "id", false: "company_id"}[table == "companies"]
		values := make([]string, len(names))
		for i, name := range names {
			values[i] = "t." + name
			if name == key {
				values[i] = fmt.Sprintf(idOfCopy, name)
			}
		}
		_, err = f.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT STRAIGHT_JOIN %s FROM bench_numbers b JOIN %s t WHERE t.%s = ?",
			table, strings.Join(names, ", "), strings.Join(values, ", "), table, key), f.company.id)
		if err != nil {
			return fmt.Errorf("cloning %s: %w", table, err)
		}
	}
	return nil
}

// ofCompanies are the tables with rows of companies.
func (f *filler) ofCompanies(ctx context.Context) ([]string, error) {
	return f.names(ctx, `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
		ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
		WHERE c.table_schema = DATABASE() AND c.column_name = 'company_id'`)
}

// keys adds claims that were answered and expire at a time, in equal parts to the companies. They are like the claim of the replays.
func (h *house) keys(ctx context.Context, companies []company, n int, expire string) error {
	c := h.caller(1)
	for _, to := range companies {
		if err := firstOfReplays(ctx, c, to); err != nil {
			return err
		}
	}
	c.close()
	db, err := h.fillingSession(ctx)
	if err != nil {
		return err
	}
	f := &filler{db: db, columns: map[string][]string{}}
	return f.end(ctx, f.claims(ctx, n/len(companies), expire))
}

func (f *filler) claims(ctx context.Context, each int, expire string) error {
	if err := f.tables(ctx); err != nil {
		return err
	}
	if err := f.numbers(ctx, each); err != nil {
		return err
	}
	names, err := f.columnsOf(ctx, "idempotency_keys")
	if err != nil {
		return err
	}
	values := make([]string, len(names))
	for i, name := range names {
		switch name {
		case "idempotency_key":
			values[i] = "CONCAT(UUID(), ' ', b.n)"
		case "expires_at":
			values[i] = expire
		default:
			values[i] = "t." + name
		}
	}
	for from := 1; from <= each; from += 1000 {
		_, err := f.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO idempotency_keys (%s) SELECT STRAIGHT_JOIN %s FROM bench_numbers b
			JOIN companies c JOIN idempotency_keys t ON t.company_id = c.id AND t.idempotency_key = ? WHERE b.n BETWEEN ? AND ?`,
			strings.Join(names, ", "), strings.Join(values, ", ")), []byte(replayKey), from, from+999)
		if err != nil {
			return fmt.Errorf("adding keys: %w", err)
		}
	}
	return nil
}
