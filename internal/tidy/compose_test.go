package tidy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// composition is what a Compose file says, as far as it can be wrong without an engine noticing before the start.
type composition struct {
	Services map[string]struct {
		Image       string
		Build       any
		Command     []string
		Environment map[string]string
		Ports       []string
		Volumes     []string
		Healthcheck struct {
			Test    []string
			Disable bool
		}
		DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
		Configs   []struct{ Source, Target string }
		Restart   string
	}
	Volumes map[string]any
	Configs map[string]struct{ Content string }
}

// TestComposeFiles checks what names what in the files that deploy the server: a service waits for one that can be waited for,
// what it mounts is declared, it names hosts that exist, and nothing is published beyond this machine.
func TestComposeFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "docs", "operations", "compose-*.yml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	for _, file := range append(files, filepath.Join(root, "docker-compose.yml")) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var c composition
			require.NoError(t, yaml.Unmarshal(text, &c))
			require.NotEmpty(t, c.Services)
			for name := range c.Services {
				requireService(t, &c, name)
				for variable := range c.Services[name].Environment {
					if strings.HasPrefix(variable, "VIENKART_") && c.Services[name].Image == "vienkart" {
						require.Contains(t, string(readme), "`"+variable+"`", "%s: README.md does not know the variable", name)
					}
				}
			}
		})
	}
}

func requireService(t *testing.T, c *composition, name string) {
	t.Helper()
	s := c.Services[name]
	require.NotEmpty(t, s.Image, name)
	for needed, how := range s.DependsOn {
		other, there := c.Services[needed]
		require.True(t, there, "%s waits for %s", name, needed)
		switch how.Condition {
		case "service_healthy":
			require.NotEmpty(t, other.Healthcheck.Test, "%s waits for the health of %s", name, needed)
		case "service_completed_successfully":
			require.Equal(t, "no", other.Restart, "%s waits for the end of %s", name, needed)
		default:
			t.Errorf("%s waits for %s until %q", name, needed, how.Condition)
		}
	}
	if s.Restart != "no" && s.Build == nil { // the image of the server has its own check
		require.NotEmpty(t, s.Healthcheck.Test, name)
	}
	for _, volume := range s.Volumes {
		source, _, _ := strings.Cut(volume, ":")
		require.Contains(t, c.Volumes, source, name)
	}
	for _, config := range s.Configs {
		require.NotEmpty(t, c.Configs[config.Source].Content, name)
	}
	for _, port := range s.Ports {
		require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s publishes %s", name, port)
	}
	for variable, value := range s.Environment {
		if _, after, found := strings.Cut(value, "@"); found && strings.HasPrefix(value, "mysql://") {
			host, _, _ := strings.Cut(after, ":")
			require.Contains(t, c.Services, host, "%s: %s", name, variable)
		}
	}
}
