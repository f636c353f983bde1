package isaf

import (
	"strconv"

	"github.com/vienkart/vienkart/internal/vat/register"
)

// Names of elements that begin and end in different places.
const (
	rootElement      = "iSAFFile"
	masterElement    = "MasterFiles"
	documentsElement = "SourceDocuments"

	settlementsElement = "SettlementsAndPayments"
)

const namespace = "http://www.vmi.lt/cms/imas/isaf"

// partyElements are the names that differ between the two sides.
type partyElements struct{ register, block, id, list, item string }

var elementsOf = map[register.Direction]partyElements{
	register.Purchases: {"PurchaseInvoices", "SupplierInfo", "SupplierID", "Suppliers", "Supplier"},
	register.Sales:     {"SalesInvoices", "CustomerInfo", "CustomerID", "Customers", "Customer"},
}

func (m *markup) piece(r piece) {
	if r.settlement != nil {
		m.settlement(*r.settlement)
		return
	}
	m.invoice(*r.invoice)
}

// settlement writes a payment. The party is written whole, as with invoices.
func (m *markup) settlement(s Settlement) {
	m.open("SettlementAndPayment")
	m.text("SettlementType", string(s.Type))
	m.text("SettlementRefNo", s.Reference)
	m.text("SettlementDate", s.Date.String())
	m.open("Payment")
	m.partyAs("SupplierCustomerID", s.Party)
	m.close("Payment")
	m.open("ReferencesToInvoice")
	for _, i := range s.Invoices {
		m.open("ReferenceToInvoice")
		m.text("InvoiceNo", i.Number)
		m.text("InvoiceDate", i.Date.String())
		m.amount("Amount", &i.Net)
		m.amount("VATAmount", &i.VAT)
		m.close("ReferenceToInvoice")
	}
	m.close("ReferencesToInvoice")
	m.close("SettlementAndPayment")
}

// invoice writes an invoice. All particulars of the party are written with each: the schema demands most of them, whatever the
// master files have.
func (m *markup) invoice(i Invoice) {
	names := elementsOf[i.Direction]
	m.open("Invoice")
	m.text("InvoiceNo", i.Number)
	m.open(names.block)
	m.partyAs(names.id, i.Party)
	m.close(names.block)
	m.text("InvoiceDate", i.Date.String())
	m.text("InvoiceType", string(i.Type))
	special := ""
	if i.SpecialTaxation {
		special = "T"
	}
	m.text("SpecialTaxation", special)
	m.references(i.References)
	m.day("VATPointDate", i.SupplyDate)
	if i.Direction == register.Purchases {
		m.day("RegistrationAccountDate", i.RegistrationDate)
	}
	m.open("DocumentTotals")
	for _, t := range i.Totals {
		m.total(i.Direction, t)
	}
	m.close("DocumentTotals")
	m.close("Invoice")
}

func (m *markup) partyAs(id string, p Party) {
	m.text(id, p.ID.String())
	m.text("VATRegistrationNumber", p.VATNumber)
	m.text("RegistrationNumber", p.Code)
	m.optionalText("Country", p.Country)
	m.text("Name", p.Name)
}

// maxReferences is the schema's.
const maxReferences = 1000

func (m *markup) references(list []Reference) {
	if len(list) == 0 {
		m.empty("References")
		return
	}
	m.open("References")
	for _, r := range list[:min(len(list), maxReferences)] {
		m.open("Reference")
		m.text("ReferenceNo", r.Number)
		m.text("ReferenceDate", r.Date.String())
		m.close("Reference")
	}
	m.close("References")
}

func (m *markup) total(side register.Direction, t Total) {
	m.open("DocumentTotal")
	m.amount("TaxableValue", &t.Net)
	m.taxCode(t.Code)
	m.rate("TaxPercentage", t.Rate)
	m.amount("Amount", t.VAT)
	if side == register.Sales {
		m.day("VATPointDate2", t.SupplyDate)
	}
	m.close("DocumentTotal")
}

func (m *markup) masterEntry(side register.Direction, p Party) {
	names := elementsOf[side]
	m.open(names.item)
	m.partyAs(names.id, p)
	m.close(names.item)
}

// header opens the file and writes all that comes before the parties.
func (m *markup) header(f *Filing, part Part) {
	m.write(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	m.write("<" + rootElement + ` xmlns="` + namespace + `" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` + "\n")
	m.open("Header")
	m.open("FileDescription")
	m.text("FileVersion", "iSAF1.2")
	m.text("FileDateCreated", f.options.CreatedAt.Format("2006-01-02T15:04:05"))
	m.text("DataType", string(f.options.DataType))
	m.text("SoftwareCompanyName", clip(f.options.Software.Company, maxName))
	m.text("SoftwareName", clip(f.options.Software.Name, maxName))
	m.text("SoftwareVersion", clip(f.options.Software.Version, maxVersion))
	m.text("RegistrationNumber", f.registrationNumber)
	m.text("NumberOfParts", strconv.Itoa(len(f.Parts)))
	m.text("PartNumber", part.Number)
	m.open("SelectionCriteria")
	m.text("SelectionStartDate", f.options.Period.From.String())
	m.text("SelectionEndDate", f.options.Period.To.String())
	m.close("SelectionCriteria")
	m.close("FileDescription")
	m.close("Header")
}
