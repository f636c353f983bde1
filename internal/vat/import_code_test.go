package vat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

func TestImportCodes(t *testing.T) {
	t.Parallel()
	var imports, offset []string
	for _, c := range vat.Codes() {
		if c.IsImportVAT() {
			imports = append(imports, c.Code)
		}
		if c.IsOffsetByVMI() {
			offset = append(offset, c.Code)
		}
	}
	require.Equal(t, []string{"PVM23", "PVM24"}, imports)
	require.Equal(t, []string{"PVM24"}, offset)
	require.Equal(t, imports, vat.ImportCodes())
}

func TestCheckImportCode(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		origin          vat.SupplierOrigin
		rate, day, want string
	}{
		"Standard":          {vat.SupplierOriginLithuania, "21", in2026, ""},
		"Books":             {vat.SupplierOriginLithuania, "5", in2026, ""},
		"NineTo2025":        {vat.SupplierOriginLithuania, "9", in2025, ""},
		"NineEnded":         {vat.SupplierOriginLithuania, "9", in2026, "PVM23 has a rate of 21, 12 or 5 %, not 9 %"},
		"WithoutVAT":        {vat.SupplierOriginLithuania, "0", in2026, "PVM23 has a rate of 21, 12 or 5 %, not 0 %"},
		"ForeignSupplier":   {vat.SupplierOriginForeign, "21", in2026, "this supplier's own invoice under PVM48"},
		"EUSupplier":        {vat.SupplierOriginEUPayer, "21", in2026, "this supplier's own invoice under PVM48"},
		"ForeignWithoutVAT": {vat.SupplierOriginForeign, "0", in2026, "enter the customs declaration with customs as the supplier"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := vat.CheckImportCode(code(t, "PVM23"), tt.origin, money.MustDecimal(tt.rate), date.MustParse(tt.day))
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
		})
	}
}
