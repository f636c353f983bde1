package isaf

import (
	"strconv"
	"strings"
)

// schemaText describes VMI's schema isaf_1.2.xsd. A line is an element inside the one above with less indentation: its name, how
// often it stands (1, or least..most), "nil" when its value may be left out, and the type of its value, if it has one.
const schemaText = `
iSAFFile 1
 Header 1
  FileDescription 1
   FileVersion 1 version
   FileDateCreated 1 instant
   DataType 1 dataType
   SoftwareCompanyName 1 text256
   SoftwareName 1 text256
   SoftwareVersion 1 text24
   RegistrationNumber 1 taxpayer
   NumberOfParts 1 nil count
   PartNumber 1 partNumber
   SelectionCriteria 1
    SelectionStartDate 1 date2016-07-01
    SelectionEndDate 1 date2016-10-01
 MasterFiles 0..1
  Customers 0..1
   Customer 1..500000
    CustomerID 1 filled70
    VATRegistrationNumber 1 filled35
    RegistrationNumber 1 text35
    Country 1 nil country
    Name 1 filled256
  Suppliers 0..1
   Supplier 1..500000
    SupplierID 1 filled70
    VATRegistrationNumber 1 filled35
    RegistrationNumber 1 text35
    Country 1 nil country
    Name 1 filled256
 SourceDocuments 0..1
  PurchaseInvoices 0..1
   Invoice 1..500000
    InvoiceNo 1 filled70
    SupplierInfo 1
     SupplierID 0..1 text70
     VATRegistrationNumber 1 text35
     RegistrationNumber 0..1 text35
     Country 1 nil country
     Name 1 text256
    InvoiceDate 1 date
    InvoiceType 1 invoiceType
    SpecialTaxation 1 special
    References 1
     Reference 0..1000
      ReferenceNo 1 filled70
      ReferenceDate 1 date1990-01-01
    VATPointDate 1 nil date2016-07-01
    RegistrationAccountDate 1 nil date2016-07-01
    DocumentTotals 1
     DocumentTotal 1..100
      TaxableValue 1 money
      TaxCode 1 nil taxCode
      TaxPercentage 1 nil percent
      Amount 1 nil money
  SalesInvoices 0..1
   Invoice 1..500000
    InvoiceNo 1 filled70
    CustomerInfo 1
     CustomerID 0..1 text70
     VATRegistrationNumber 1 text35
     RegistrationNumber 0..1 text35
     Country 1 nil country
     Name 1 text256
    InvoiceDate 1 date2016-07-01
    InvoiceType 1 invoiceType
    SpecialTaxation 1 special
    References 1
     Reference 0..1000
      ReferenceNo 1 filled70
      ReferenceDate 1 date1990-01-01
    VATPointDate 1 nil date2016-07-01
    DocumentTotals 1
     DocumentTotal 1..100
      TaxableValue 1 money
      TaxCode 1 nil taxCode
      TaxPercentage 1 nil percent
      Amount 1 nil money
      VATPointDate2 1 nil date2016-07-01
  SettlementsAndPayments 0..1
   SettlementAndPayment 1..500000
    SettlementType 1 settlement
    SettlementRefNo 1 text70
    SettlementDate 1 date2016-07-01
    Payment 1
     SupplierCustomerID 0..1 text70
     VATRegistrationNumber 1 text35
     RegistrationNumber 0..1 text35
     Country 1 nil country
     Name 1 text256
    ReferencesToInvoice 1
     ReferenceToInvoice 1..1000
      InvoiceNo 1 filled70
      InvoiceDate 1 date2011-01-01
      Amount 1 money
      VATAmount 1 money
`

// particle is an element of the schema.
type particle struct {
	name        string
	least, most int
	nillable    bool
	// valueType is empty for an element that holds elements.
	valueType string
	children  []*particle
}

var schemaRoot = parseSchema(schemaText)

// parseSchema reads the description; a fault in it shows in every test.
func parseSchema(description string) *particle {
	var open []*particle
	for _, line := range strings.Split(strings.Trim(description, "\n"), "\n") {
		fields := strings.Fields(line)
		p := &particle{name: fields[0]}
		p.least, p.most = parseTimes(fields[1])
		rest := fields[2:]
		if len(rest) > 0 && rest[0] == "nil" {
			p.nillable, rest = true, rest[1:]
		}
		if len(rest) > 0 {
			p.valueType = rest[0]
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		open = append(open[:depth], p)
		if depth > 0 {
			open[depth-1].children = append(open[depth-1].children, p)
		}
	}
	return open[0]
}

func parseTimes(s string) (least, most int) {
	from, to, isRange := strings.Cut(s, "..")
	if !isRange {
		to = from
	}
	least, _ = strconv.Atoi(from)
	most, _ = strconv.Atoi(to)
	return least, most
}
