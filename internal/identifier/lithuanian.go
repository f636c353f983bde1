package identifier

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Reasons that more than one check gives.
var (
	errNotDigits  = errors.New("it must consist of digits only")
	errCheckDigit = errors.New("the check digit is wrong, so a digit was probably mistyped")
)

// CheckLTVAT checks a Lithuanian VAT number: LT and 9 digits of which the 8th is 1, or LT and 12 digits of which the 11th is
// 1, and the check digit. Source: the script in VMI's form FR0600, version 02.
func CheckLTVAT(s string) error {
	digits, found := strings.CutPrefix(s, "LT")
	switch {
	case !found:
		return errors.New("a Lithuanian VAT number must start with LT in upper case")
	case !allDigits(digits):
		return fmt.Errorf("a Lithuanian VAT number is LT followed by digits: %w", errNotDigits)
	case len(digits) != 9 && len(digits) != 12:
		return fmt.Errorf("a Lithuanian VAT number has 9 or 12 digits after LT, not %d", len(digits))
	case digits[len(digits)-2] != '1':
		return fmt.Errorf("the last digit but one of a Lithuanian VAT number is always 1, not %c", digits[len(digits)-2])
	case twoPassCheckDigit(digits) != lastDigit(digits):
		return fmt.Errorf("checking a Lithuanian VAT number: %w", errCheckDigit)
	}
	return nil
}

// CheckLTCompanyCode checks the 9-digit code of the Register of Legal Entities. The 7-digit codes of before ended with 2010.
// Source: the script in VMI's form FR0600 and the OECD sheet on Lithuanian tax identification numbers.
func CheckLTCompanyCode(s string) error {
	switch {
	case !allDigits(s):
		return fmt.Errorf("checking a company code: %w", errNotDigits)
	case len(s) == 7:
		return errors.New("7-digit company codes have not been valid since 2011: use the 9-digit code")
	case len(s) != 9:
		return fmt.Errorf("a company code has 9 digits, not %d", len(s))
	}
	sum := 0
	for i := range 8 {
		sum += digitAt(s, i) * (i + 1)
	}
	// A remainder of 10 has no digit: such a code is never given out, so it fails like a wrong digit.
	if sum%11 != lastDigit(s) {
		return fmt.Errorf("checking a company code: %w", errCheckDigit)
	}
	return nil
}

// CheckVMICode checks the 10-digit code that VMI gives to taxpayers outside the other registers.
// Source: the script in VMI's form FR0600.
func CheckVMICode(s string) error {
	switch {
	case !allDigits(s):
		return fmt.Errorf("checking a VMI code: %w", errNotDigits)
	case len(s) != 10:
		return fmt.Errorf("a VMI code has 10 digits, not %d", len(s))
	}
	modulus := digitAt(s, 0)*10 + digitAt(s, 1)
	if modulus == 0 {
		return errors.New("a VMI code does not start with 00")
	}
	sum := 0
	for i := range 9 {
		sum += digitAt(s, i) * (9 - i)
	}
	check := sum % modulus
	for check > 9 {
		check = check/10 + check%10
	}
	if check != lastDigit(s) {
		return fmt.Errorf("checking a VMI code: %w", errCheckDigit)
	}
	return nil
}

// CheckPersonalCode checks an 11-digit personal code: century and sex, date of birth, check digit. The code is personal data;
// errors never repeat it. Source: the script in VMI's form FR0600.
func CheckPersonalCode(s string) error {
	switch {
	case !allDigits(s):
		return fmt.Errorf("checking a personal code: %w", errNotDigits)
	case len(s) != 11:
		return fmt.Errorf("a personal code has 11 digits, not %d", len(s))
	case s[0] < '1' || s[0] > '6':
		return errors.New("the first digit of a personal code is 1 to 6")
	}
	// 1 and 2 were born in the 1800s, 3 and 4 in the 1900s, 5 and 6 in the 2000s.
	century := 18 + (digitAt(s, 0)-1)/2
	if _, err := time.Parse("20060102", fmt.Sprintf("%d%s", century, s[1:7])); err != nil {
		return errors.New("digits 2 to 7 of a personal code must be a date of birth written YYMMDD")
	}
	if twoPassCheckDigit(s) != lastDigit(s) {
		return fmt.Errorf("checking a personal code: %w", errCheckDigit)
	}
	return nil
}

// CheckTaxpayerCode checks a code of the Lithuanian register of taxpayers: a 9-digit company code, a 10-digit VMI code or an
// 11-digit personal code, without the prefix LT.
func CheckTaxpayerCode(s string) error {
	switch len(s) {
	case 7, 9:
		return CheckLTCompanyCode(s)
	case 10:
		return CheckVMICode(s)
	case 11:
		return CheckPersonalCode(s)
	}
	return errors.New("a taxpayer code has 9 digits (company), 10 digits (given by VMI) or 11 digits (person), without LT")
}

// twoPassCheckDigit computes the digit that VAT numbers and personal codes end with: digits weighted 1, 2, ... 9, 1, 2 ...
// modulo 11; a remainder of 10 is tried again with weights from 3, and 10 once more counts as 0.
func twoPassCheckDigit(s string) int {
	for _, start := range []int{1, 3} {
		sum := 0
		for i := range len(s) - 1 {
			sum += digitAt(s, i) * ((i+start-1)%9 + 1)
		}
		if sum%11 != 10 {
			return sum % 11
		}
	}
	return 0
}

func digitAt(s string, i int) int { return int(s[i] - '0') }

func lastDigit(s string) int { return digitAt(s, len(s)-1) }

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
