package webhook_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook"
)

var update = flag.Bool("update", false, "write the published schemas anew")

// published is where tenants find the schemas.
var published = filepath.Join("..", "..", "docs", "events")

const schemaSuffix = ".schema.json"

func TestSchemas(t *testing.T) {
	t.Parallel()
	types := webhook.Types()
	require.True(t, slices.IsSortedFunc(types, func(a, b webhook.Type) int { return strings.Compare(a.Name, b.Name) }), "events are listed by name")
	for _, event := range types {
		t.Run(event.Name+"IsPublished", func(t *testing.T) {
			t.Parallel()
			require.True(t, strings.HasPrefix(event.Name, event.Object+"."), "the name begins with the object")
			schema, err := event.Schema()
			require.NoError(t, err)
			path := filepath.Join(published, event.Name+schemaSuffix)
			if *update {
				require.NoError(t, os.WriteFile(path, schema, 0o644))
			}
			have, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(schema), string(have), "run the tests of this package with -update")
		})
	}
	t.Run("NoOtherIsPublished", func(t *testing.T) {
		t.Parallel()
		files, err := os.ReadDir(published)
		require.NoError(t, err)
		for _, file := range files {
			name, isSchema := strings.CutSuffix(file.Name(), schemaSuffix)
			require.True(t, isSchema && slices.ContainsFunc(types, func(e webhook.Type) bool { return e.Name == name }), file.Name())
		}
	})
}

func TestPublish(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		object := tenant.NewID()
		publish := func(event webhook.Event) error {
			return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return webhook.Publish(ctx, tx, event) })
		}
		bodies := func() []string {
			var rows []string
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
				rows, err = tenant.Query[string](ctx, r, "SELECT payload FROM outbox_events WHERE company_id = @company")
				return err
			})
			return rows
		}
		require.ErrorContains(t, publish(webhook.Event{Type: "sale_invoice.eaten", ObjectType: "sale_invoice", ObjectID: object}), "not in the catalogue")
		require.ErrorContains(t, publish(webhook.Event{Type: "sale_invoice.issued", ObjectType: "partner", ObjectID: object}), "not in the catalogue")
		require.Empty(t, bodies())

		require.NoError(t, publish(webhook.Event{Type: "sale_invoice.issued", ObjectType: "sale_invoice", ObjectID: object}))
		stored := bodies()
		require.Len(t, stored, 1)
		require.Regexp(t, `^\{"id":"[0-9a-f-]{36}","type":"sale_invoice.issued","companyId":"`+c.Scope.Company().ID.String()+
			`","createdAt":"[^"]+Z","data":\{"object":"sale_invoice","id":"`+object.String()+`"\}\}$`, stored[0])
	})
}
