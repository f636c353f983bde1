package saft

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/date"
)

func (f *file) header() {
	c, o := f.content.company, f.options
	f.in("Header", func() {
		f.text("AuditFileVersion", lengthCode, "2.01")
		f.text("AuditFileCountry", 3, "LT")
		f.moment("AuditFileDateCreated", o.CreatedAt)
		f.text("SoftwareCompanyName", lengthName, o.Software.Company)
		f.text("SoftwareID", lengthLong, o.Software.Name)
		f.text("SoftwareVersion", lengthShort, o.Software.Version)
		f.company()
		f.text("DefaultCurrencyCode", lengthCode, c.BaseCurrency.Code())
		f.in("SelectionCriteria", func() {
			f.day("SelectionStartDate", o.From)
			f.day("SelectionEndDate", o.To)
			f.day("PeriodStart", o.From)
			f.day("PeriodEnd", o.To)
		})
		// The books are on the accrual basis.
		f.text("TaxAccountingBasis", lengthShort, "K")
		f.day("FiscalYearFrom", date.New(o.From.Year(), time.January, 1))
		f.day("FiscalYearTo", date.New(o.To.Year(), time.December, 31))
		f.text("Entity", 20, "MAIN")
		f.text("DataType", lengthShort, string(o.DataType))
		f.text("NumberOfParts", lengthShort, "1")
		f.text("PartNumber", lengthShort, "1")
	})
}

func (f *file) company() {
	c := f.content.company
	f.in("Company", func() {
		f.text("RegistrationNumber", lengthMiddle, orUnknown(deref(c.Code)))
		f.text("Name", lengthName, c.Name)
		f.address(deref(c.Street), deref(c.City), deref(c.PostalCode), deref(c.AddressCountry, &c.CountryCode))
		f.in("Contact", func() {
			f.nobody()
			f.text("Telephone", lengthShort, orUnknown(deref(c.Phone)))
			f.optional("Email", lengthName, deref(c.Email))
		})
		if number := deref(c.VATCode); number != "" {
			f.registration(number, "PVM", c.CountryCode)
		}
		f.bankAccount(deref(c.IBAN))
	})
}

// nobody stands for the contact person, whom the books do not name.
func (f *file) nobody() {
	f.in("ContactPerson", func() {
		f.text("FirstName", lengthMiddle, unknown)
		f.text("LastName", lengthName, unknown)
	})
}

func (f *file) address(street, city, postalCode, country string) {
	f.in("Address", func() {
		f.optional("StreetName", lengthName, street)
		f.text("City", lengthMiddle, orUnknown(city))
		f.text("PostalCode", lengthShort, orUnknown(postalCode))
		f.text("Country", 3, country)
		f.text("AddressType", lengthCode, "BA")
	})
}

func (f *file) registration(number, sort, country string) {
	f.in("TaxRegistration", func() {
		f.text("TaxRegistrationNumber", lengthMiddle, number)
		f.text("TaxType", lengthCode, sort)
		f.optional("Country", 3, country)
	})
}

func (f *file) bankAccount(iban string) {
	if iban != "" {
		f.in("BankAccount", func() { f.text("IBANNumber", lengthMiddle, iban) })
	}
}

// warn says what of the header and of the chart the books do not have.
func (f *file) warn() {
	f.warnOfAccounts()
	c := f.content.company
	for _, missing := range []struct {
		what  string
		value *string
	}{{"code", c.Code}, {"city", c.City}, {"postal code", c.PostalCode}, {"telephone", c.Phone}} {
		if deref(missing.value) == "" {
			f.summary.Warnings = append(f.summary.Warnings, fmt.Sprintf("The profile of the company has no %s; the file says ND.", missing.what))
		}
	}
	if f.options.From.Day() != 1 || f.options.To != f.options.To.LastOfMonth() {
		f.summary.Warnings = append(f.summary.Warnings, "VMI takes periods of whole months; the days asked for are not.")
	}
	if f.options.From.Year() != f.options.To.Year() {
		f.summary.Warnings = append(f.summary.Warnings, "The days lie in the years "+strconv.Itoa(f.options.From.Year())+" and "+
			strconv.Itoa(f.options.To.Year())+"; the header has both, taking the financial year for the calendar year.")
	}
}

// maxNamedAccounts bounds the codes in the warning: a chart of another make may have hundreds without an account of the classifier.
const maxNamedAccounts = 50

// warnOfAccounts names the accounts that no account of VMI's classifier was chosen for.
func (f *file) warnOfAccounts() {
	var codes []string
	for _, a := range f.content.accounts {
		if a.table.IsZero() {
			codes = append(codes, a.code)
		}
	}
	if len(codes) == 0 {
		return
	}
	named, rest := codes[:min(len(codes), maxNamedAccounts)], ""
	if more := len(codes) - len(named); more > 0 {
		rest = fmt.Sprintf(" and %d more", more)
	}
	f.summary.Warnings = append(f.summary.Warnings, "No account of VMI's classifier is chosen for the accounts "+strings.Join(named, ", ")+rest+
		"; the file says ND. Choose one by ledger/accounts/update, as saftCode.")
}
