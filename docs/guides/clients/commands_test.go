package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// shellBlock is a block of commands in a guide, which may stand in a list.
var shellBlock = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```$")

// TestCommandsOfTheGuidesRun runs every command of a guide in its order, in a demo company of its own.
func TestCommandsOfTheGuidesRun(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bash", "curl", "jq", "openssl"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("THE COMMANDS OF THE GUIDES ARE NOT TESTED: %s is missing here", name)
		}
	}
	for guide, printed := range map[string][]string{
		"clients.md":     {"SF", "idempotency_key_reuse", "Idempotent-Replayed: true", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
		"accountants.md": {`"agrees": true`, `"purchaseInvoices": 2`, `"vatTotal": "7.01"`, `"paidAmount": "210.00"`, `"locked"`, `"open"`},
		"admins.md":      {`"reason":"key_reuse"`, `"pointer":"/name"`, `"reviewDecision":"client bug"`, `"revoked":true`},
	} {
		t.Run(guide, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../" + guide)
			require.NoError(t, err)
			script := []string{"set -euo pipefail"}
			for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
				script = append(script, block[1])
			}
			e := testkit.SQLite(t)
			out, code := process.Run(t, e, "demo", "--json")
			require.Zero(t, code, out)
			var demo struct {
				Token string `json:"token"`
			}
			require.NoError(t, json.Unmarshal([]byte(out), &demo))
			server := process.Start(t, e)

			command := exec.CommandContext(t.Context(), "bash", "-c", strings.Join(script, "\n"))
			command.Dir = t.TempDir()
			command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "SERVER=" + server.URL, "TOKEN=" + demo.Token}
			answers, err := command.CombinedOutput()
			require.NoError(t, err, string(answers))
			for _, part := range printed {
				require.Contains(t, string(answers), part)
			}
			process.RequireVerified(t, e)
		})
	}
}
