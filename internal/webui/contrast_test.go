package webui_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContrast computes WCAG contrast of every pair of text and background that the stylesheet makes, in both schemes.
func TestContrast(t *testing.T) {
	t.Parallel()
	light, dark := schemes(t)
	for name, colours := range map[string]map[string]string{"Light": light, "Dark": dark} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, background := range []string{"bg", "surface", "raised"} {
				for _, text := range []string{"ink", "muted", "link", "bad"} {
					requireContrast(t, colours, text, background, 4.5)
				}
				// Edges of inputs and the focus ring need 3 (WCAG 1.4.11).
				requireContrast(t, colours, "edge", background, 3)
				requireContrast(t, colours, "accent", background, 3)
			}
			for _, state := range []string{"good", "info", "warn", "bad", "mark"} {
				requireContrast(t, colours, state, state+"-bg", 4.5)
			}
			requireContrast(t, colours, "accent-ink", "accent", 4.5)
			requireContrast(t, colours, "warn", "surface", 4.5)
			requireContrast(t, colours, "s1", "surface", 3)
			requireContrast(t, colours, "s2", "surface", 2.5)
		})
	}
}

// TestContrastOfKnownPairs pins the arithmetic.
func TestContrastOfKnownPairs(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 21, contrast("#000000", "#ffffff"), 0.001)
	require.InDelta(t, 4.54, contrast("#767676", "#ffffff"), 0.01)
}

var (
	colour = regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]{6});`)
	block  = regexp.MustCompile(`(?s)^:root \{(.*?)\n\}.*?prefers-color-scheme: dark\) \{\s*:root \{(.*?)\n  \}`)
)

// schemes reads the colours; what the dark scheme leaves out is as in the light one.
func schemes(t *testing.T) (light, dark map[string]string) {
	t.Helper()
	parts := block.FindStringSubmatch(stylesheet(t))
	require.Len(t, parts, 3)
	light, dark = map[string]string{}, map[string]string{}
	for _, m := range colour.FindAllStringSubmatch(parts[1], -1) {
		light[m[1]], dark[m[1]] = m[2], m[2]
	}
	for _, m := range colour.FindAllStringSubmatch(parts[2], -1) {
		require.Contains(t, light, m[1])
		dark[m[1]] = m[2]
	}
	return light, dark
}

func requireContrast(t *testing.T, colours map[string]string, text, background string, least float64) {
	t.Helper()
	require.Contains(t, colours, text)
	require.Contains(t, colours, background)
	got := contrast(colours[text], colours[background])
	require.GreaterOrEqual(t, got, least, "%s %s on %s %s", text, colours[text], background, colours[background])
}

func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(hex string) float64 {
	weights := []float64{0.2126, 0.7152, 0.0722}
	sum := 0.0
	for i, w := range weights {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += w * c
	}
	return sum
}

// TestColoursAreNamed keeps literal colours out of the rules, where no contrast is computed.
func TestColoursAreNamed(t *testing.T) {
	t.Parallel()
	css := stylesheet(t)
	rules := css[strings.Index(css, "*, *::before"):strings.Index(css, "@media print")]
	require.NotRegexp(t, `#[0-9a-fA-F]{3,8}\b[^{]*;|rgba?\(`, rules)
}
