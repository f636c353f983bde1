package bank

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesNumber(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		text, number string
		want         bool
	}{
		"Plain":               {"už SF26000017.", "SF26000017", true},
		"OtherCase":           {"uz sf26000017", "SF26000017", true},
		"LongerNumberIsOther": {"SF260000171", "SF26000017", false},
		"PartIsOther":         {"XSF-17", "SF-17", false},
		"SecondPlaceCounts":   {"SF-170 ir SF-17", "SF-17", true},
		"BlanksInside":        {"SF 26 000017", "SF26000017", true},
		"DashesInside":        {"saskaita SF-26-000-0017!", "SF260000017", true},
		"ShortIsNoNumber":     {"2026-03-12", "12", false},
		"LettersWithMarks":    {"sąskaita ĄŽ-100", "ĄŽ-100", true},
		"Nothing":             {"", "SF1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.want, namesNumber(example.text, example.number))
		})
	}
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		name, partner string
		want          int
	}{
		"Same":                 {"UAB Alfa", "Alfa, UAB", 20},
		"WithoutMarks":         {"AZUOLAS", "UAB „Ąžuolas“", 20},
		"Half":                 {"Ona Petraitienė", "Ona Onaitė", 10},
		"LessThanHalf":         {"Alfa", "Alfa Beta Gama", 0},
		"LegalFormIsNoName":    {"UAB Beta", "UAB Alfa", 0},
		"NothingButALegalForm": {"UAB", "UAB", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.want, likeness(example.name, example.partner, 20))
		})
	}
}
