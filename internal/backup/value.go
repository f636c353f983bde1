package backup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/clock"
)

// kindOf finds how values of a column are written, by the name that the driver gives its type.
func kindOf(engineType string) (kind, error) {
	switch {
	case strings.Contains(engineType, "BLOB"), strings.Contains(engineType, "BINARY"):
		return kindBytes, nil
	case strings.Contains(engineType, "INT"):
		return kindInteger, nil
	case strings.Contains(engineType, "CHAR"), strings.Contains(engineType, "TEXT"), isNumberText(engineType), strings.HasPrefix(engineType, "DATE"):
		return kindText, nil
	}
	return "", fmt.Errorf("the type %s is none that backups know", engineType)
}

func isNumberText(engineType string) bool { return engineType == "DECIMAL" }

// portable makes of what a driver read what is written.
func portable(v any, k kind, engineType string) (any, error) {
	if v == nil {
		return nil, nil //nolint:nilnil // NULL is a value here
	}
	switch k {
	case kindBytes:
		if b, ok := v.([]byte); ok {
			return b, nil
		}
	case kindInteger:
		switch n := v.(type) {
		case int64:
			return n, nil
		case []byte:
			return strconv.ParseInt(string(n), 10, 64) //nolint:wrapcheck // the caller names the column
		}
	case kindText:
		return portableText(v, engineType)
	}
	return nil, fmt.Errorf("a value of type %s came as %T", engineType, v)
}

func portableText(v any, engineType string) (any, error) {
	var s string
	switch v := v.(type) {
	case time.Time:
		if engineType == "DATE" {
			return v.Format(time.DateOnly), nil
		}
		return clock.At(v).Value() //nolint:wrapcheck // never fails
	case string:
		s = v
	case []byte:
		s = string(v)
	default:
		return nil, fmt.Errorf("a value of type %s came as %T", engineType, v)
	}
	if isNumberText(engineType) && strings.Contains(s, ".") {
		// As the program writes a decimal, and as an engine without the type keeps it.
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s, nil
}

// stored makes of what is in a file what a driver takes: every engine reads text as decimal, date or instant.
func stored(v jsontext.Value, k kind) (any, error) {
	if v.Kind() == 'n' {
		return nil, nil //nolint:nilnil // NULL is a value here
	}
	switch k {
	case kindBytes:
		b := []byte{}
		err := json.Unmarshal(v, &b)
		return b, err //nolint:wrapcheck // the caller names the table
	case kindInteger:
		var n int64
		err := json.Unmarshal(v, &n)
		return n, err //nolint:wrapcheck // the caller names the table
	case kindText:
		var s string
		err := json.Unmarshal(v, &s)
		return s, err //nolint:wrapcheck // the caller names the table
	}
	return nil, fmt.Errorf("the kind %q is none that backups know", k)
}
