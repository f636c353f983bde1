package mysqltest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// cleanupTimeout bounds the drop of a database that a test still holds open.
const cleanupTimeout = 60 * time.Second

// Database is an empty database and the two users the product knows: one that
// migrates and grants, one that serves. Both log in from any host.
type Database struct {
	Name string

	// AdminUser has every right on this database and may pass them on. It sees
	// who may log in from where, and nothing else of the server.
	AdminUser string
	AdminDSN  string // form of go-sql-driver/mysql
	AdminURL  string // form of VIENKART_ADMIN_DATABASE_URL

	// AppUser has no right until the migrations grant some.
	AppUser string
	AppDSN  string // form of go-sql-driver/mysql
	AppURL  string // form of VIENKART_DATABASE_URL
}

// FreshDatabase makes a database on the shared server; see Shared for when it
// skips. The database and its users are dropped when the test ends.
func FreshDatabase(t testing.TB) Database {
	t.Helper()
	return Shared(t).FreshDatabase(t)
}

// FreshDatabase makes a database on this server, and drops it and its users
// when the test ends.
func (s *Server) FreshDatabase(t testing.TB) Database {
	t.Helper()
	database, err := s.create(t.Context())
	if err != nil {
		t.Fatalf("creating a fresh database: %v", err)
	}
	t.Cleanup(func() {
		// The context of the test has ended by now.
		ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
		defer cancel()
		if err := s.drop(ctx, database); err != nil {
			t.Errorf("dropping the database of the test: %v", err)
		}
	})
	return database
}

func (s *Server) create(ctx context.Context) (Database, error) {
	config, err := mysql.ParseDSN(s.DSN)
	if err != nil {
		return Database{}, fmt.Errorf("reading the DSN: %w", err)
	}
	// Letters and digits only: an underscore would be a wildcard in GRANT,
	// and the name goes into statements, which cannot take parameters here.
	suffix := strings.ToLower(rand.Text())[:16]
	password := rand.Text()
	database := Database{
		Name:      "vienkart" + suffix,
		AdminUser: "migrator" + suffix,
		AppUser:   "app" + suffix,
	}
	database.AdminDSN = tcpDSN(database.AdminUser, password, config.Addr, database.Name)
	database.AdminURL = serverURL(database.AdminUser, password, config.Addr, database.Name)
	database.AppDSN = tcpDSN(database.AppUser, password, config.Addr, database.Name)
	database.AppURL = serverURL(database.AppUser, password, config.Addr, database.Name)
	return database, s.run(ctx,
		"CREATE DATABASE "+database.Name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
		fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'", database.AdminUser, password),
		fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'", database.AppUser, password),
		fmt.Sprintf("GRANT ALL ON %s.* TO '%s'@'%%' WITH GRANT OPTION", database.Name, database.AdminUser),
		// A grant names the host the user logs in from, and that stands here alone.
		fmt.Sprintf("GRANT SELECT (host, user) ON mysql.user TO '%s'@'%%'", database.AdminUser),
	)
}

func (s *Server) drop(ctx context.Context, database Database) error {
	return s.run(ctx,
		"DROP DATABASE "+database.Name,
		fmt.Sprintf("DROP USER '%s'@'%%'", database.AdminUser),
		fmt.Sprintf("DROP USER '%s'@'%%'", database.AppUser),
	)
}

func (s *Server) run(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := s.root.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(strings.Fields(statement)[:2], " "), err)
		}
	}
	return nil
}

func serverURL(user, password, address, database string) string {
	return (&url.URL{Scheme: "mysql", User: url.UserPassword(user, password), Host: address, Path: "/" + database}).String()
}
