package export

import (
	"fmt"
	"strconv"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// show is a cell as text, and whether it is a number. A nil pointer is an empty cell.
func show(cell any) (text string, isNumber bool) {
	switch v := cell.(type) {
	case nil:
		return "", false
	case string:
		return v, false
	case *string:
		if v == nil {
			return "", false
		}
		return *v, false
	case int:
		return strconv.Itoa(v), true
	case money.Amount:
		return v.String(), true
	case money.Decimal:
		return v.String(), true
	case date.Date:
		return v.String(), false
	case fmt.Stringer:
		return v.String(), false
	}
	return fmt.Sprint(cell), false
}
