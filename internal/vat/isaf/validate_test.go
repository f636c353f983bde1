package isaf

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func samples(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	readShared(t, "tax/SOURCES.md")
	names, err := filepath.Glob(filepath.Join(shared, "tax", "samples", folder, "*.xml"))
	require.NoError(t, err)
	found := map[string][]byte{}
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "saft-") {
			continue
		}
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		found[filepath.Base(name)] = content
	}
	return found
}

func TestValidate(t *testing.T) {
	t.Parallel()
	valid, invalid := samples(t, "valid"), samples(t, "invalid")
	require.Len(t, valid, 6)
	require.Len(t, invalid, 24)
	for name, content := range valid {
		t.Run("Accepts/"+name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, Validate(bytes.NewReader(content)))
		})
	}
	for name, content := range invalid {
		t.Run("Refuses/"+name, func(t *testing.T) {
			t.Parallel()
			problems := Validate(bytes.NewReader(content))
			require.NotEmpty(t, problems)
			require.Equal(t, LevelError, problems[0].Level)
		})
	}
}

// TestValidateAgreesWithSchema changes a valid file in one place and compares our reader with xmllint.
func TestValidateAgreesWithSchema(t *testing.T) {
	t.Parallel()
	valid := string(readShared(t, "tax/samples/valid/2026-01-part-sales.xml"))
	settlements := valid[:strings.Index(valid, "<SalesInvoices>")] + `<SettlementsAndPayments><SettlementAndPayment>
		<SettlementType>G</SettlementType><SettlementRefNo>ND</SettlementRefNo><SettlementDate>2026-01-20</SettlementDate>
		<Payment><VATRegistrationNumber>ND</VATRegistrationNumber><Country>LT</Country><Name>ND</Name></Payment>
		<ReferencesToInvoice><ReferenceToInvoice><InvoiceNo>A1</InvoiceNo><InvoiceDate>2026-01-05</InvoiceDate>
		<Amount>1</Amount><VATAmount>.21</VATAmount></ReferenceToInvoice></ReferencesToInvoice>
		</SettlementAndPayment></SettlementsAndPayments></SourceDocuments></iSAFFile>`
	for name, example := range map[string]struct{ file, from, to string }{
		"Unchanged":               {valid, "", ""},
		"Settlements":             {settlements, "", ""},
		"SettlementType":          {settlements, "<SettlementType>G", "<SettlementType>X"},
		"SettlementDateEarly":     {settlements, "<InvoiceDate>2026-01-05", "<InvoiceDate>2010-12-31"},
		"BlankAroundNumber":       {valid, "<TaxableValue>", "<TaxableValue> "},
		"BlankInPart":             {valid, "<PartNumber>SALES", "<PartNumber>SA LES"},
		"EmptyPart":               {valid, "<PartNumber>SALES", "<PartNumber>"},
		"LongPart":                {valid, "<PartNumber>SALES", "<PartNumber>ABCDEFGHIJKLMNOPQRSTU"},
		"Exponent":                {valid, "<TaxableValue>1000.00", "<TaxableValue>1e3"},
		"ManyDigits":              {valid, "<TaxableValue>1000.00", "<TaxableValue>12345678901234567.00"},
		"TooManyDigits":           {valid, "<TaxableValue>1000.00", "<TaxableValue>1234567890123456789"},
		"LeadingZeros":            {valid, "<TaxableValue>1000.00", "<TaxableValue>+0000000000000000000001000.000"},
		"PointAlone":              {valid, "<TaxableValue>1000.00", "<TaxableValue>."},
		"PointAtEnd":              {valid, "<TaxableValue>1000.00", "<TaxableValue>5."},
		"PercentTooLong":          {valid, "<TaxPercentage>21<", "<TaxPercentage>1000.01<"},
		"PercentWithZeros":        {valid, "<TaxPercentage>21<", "<TaxPercentage>21.00<"},
		"NilWithValue":            {valid, `<VATPointDate xsi:nil="true"/>`, `<VATPointDate xsi:nil="true">2026-01-01</VATPointDate>`},
		"NilFalse":                {valid, `<VATPointDate xsi:nil="true"/>`, `<VATPointDate xsi:nil="false">2026-01-01</VATPointDate>`},
		"NilOne":                  {valid, `<VATPointDate xsi:nil="true"/>`, `<VATPointDate xsi:nil="1"/>`},
		"NilMaybe":                {valid, `<VATPointDate xsi:nil="true"/>`, `<VATPointDate xsi:nil="maybe"/>`},
		"NilWhereForbidden":       {valid, "<References/>", `<References xsi:nil="true"/>`},
		"NilSpecial":              {valid, "<SpecialTaxation/>", `<SpecialTaxation xsi:nil="true"/>`},
		"ForeignAttribute":        {valid, "<References/>", `<References kind="x"/>`},
		"ForeignElement":          {valid, "<References/>", "<References/><Note>x</Note>"},
		"RepeatedElement":         {valid, "<References/>", "<References/><References/>"},
		"TextBetween":             {valid, "<Invoice>", "<Invoice>text"},
		"CommentBetween":          {valid, "<Invoice>", "<Invoice><!-- a comment -->"},
		"DateWithZone":            {valid, "<InvoiceDate>2026-01-05", "<InvoiceDate>2026-01-05Z"},
		"DateDoesNotExist":        {valid, "<InvoiceDate>2026-01-05", "<InvoiceDate>2026-02-30"},
		"DateTooEarly":            {valid, "<InvoiceDate>2026-01-05", "<InvoiceDate>2016-06-30"},
		"DateTooLate":             {valid, "<InvoiceDate>2026-01-05", "<InvoiceDate>2100-01-02"},
		"InstantWithFraction":     {valid, "09:30:00<", "09:30:00.123456+02:00<"},
		"InstantWithoutTime":      {valid, "2026-02-10T09:30:00<", "2026-02-10<"},
		"InstantDoesNotExist":     {valid, "09:30:00<", "25:30:00<"},
		"EmptyInvoiceNumber":      {valid, "<InvoiceNo>AAA0000101", "<InvoiceNo>"},
		"EmptyInvoiceType":        {valid, "<InvoiceType>SF", "<InvoiceType>"},
		"EmptyAmount":             {valid, "<Amount>210.00</Amount>", "<Amount/>"},
		"CountryND":               {valid, `<Country xsi:nil="true"/>`, "<Country>ND</Country>"},
		"CountryOfTwoLetters":     {valid, `<Country xsi:nil="true"/>`, "<Country>Šč</Country>"},
		"CodeOfFourDigits":        {valid, "<TaxCode>PVM1<", "<TaxCode>PVM1000<"},
		"CodeOutsideClassifier":   {valid, "<TaxCode>PVM1<", "<TaxCode>PVM999<"},
		"NegativeParts":           {valid, "<NumberOfParts>2", "<NumberOfParts>-2"},
		"LongTaxpayer":            {valid, "<RegistrationNumber>900000105", "<RegistrationNumber>123456789012"},
		"SecondRoot":              {valid, "</iSAFFile>", "</iSAFFile><iSAFFile/>"},
		"EmptyMasterFiles":        {valid, "<SourceDocuments>", "<MasterFiles/><SourceDocuments>"},
		"EmptyCustomers":          {valid, "<SourceDocuments>", "<MasterFiles><Customers/></MasterFiles><SourceDocuments>"},
		"MasterFilesAfter":        {valid, "</SourceDocuments>", "</SourceDocuments><MasterFiles/>"},
		"CustomerIDLeftOut":       {valid, "<CustomerID>K001</CustomerID>", ""},
		"OtherNamespaceInside":    {valid, "<References/>", `<References xmlns="urn:x"/>`},
		"SchemaLocationIsGiven":   {valid, "<iSAFFile ", `<iSAFFile xsi:schemaLocation="urn:x x.xsd" `},
		"FullwidthDigitIsRefused": {valid, "<TaxableValue>1000.00", "<TaxableValue>１000.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(example.file, example.from, example.to, 1)
			require.True(t, example.from == "" || changed != example.file, "%q is not in the file", example.from)
			ours := Validate(strings.NewReader(changed))
			if theirs := xmllint(t, []byte(changed)); theirs == nil {
				require.Empty(t, ours)
			} else {
				require.NotEmpty(t, ours, "xmllint: %s", theirs)
			}
		})
	}
}

func TestValidateNamesThePlace(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct{ file, code, message string }{
		"NothingIsNoFile":          {"", codeEmpty, "the file has no element"},
		"OtherRootIsNamed":         {"<html/>", codeRoot, "the root element must be iSAFFile"},
		"OtherNamespaceIsNamed":    {`<iSAFFile xmlns="urn:oecd"/>`, codeNamespace, "the namespace must be " + namespace},
		"MissingHeaderIsNamed":     {`<iSAFFile xmlns="` + namespace + `"/>`, codeSchema, "line 1, /iSAFFile: Header is missing"},
		"CutFileIsNotWellFormed":   {`<iSAFFile xmlns="` + namespace + `"><Header>`, codeSchema, "not well-formed"},
		"OtherEncodingIsNotRead":   {`<?xml version="1.0" encoding="windows-1257"?><iSAFFile/>`, codeSchema, "not well-formed"},
		"EntityIsNotWellFormed":    {`<iSAFFile>&own;</iSAFFile>`, codeSchema, ""},
		"LineIsThatOfTheElement":   {"<iSAFFile xmlns='" + namespace + "'>\n<Header>\n</Header></iSAFFile>", codeSchema, "line 3, /iSAFFile/Header: FileDescription is missing"},
		"BinaryIsNotWellFormed":    {"\x1f\x8b\x08\x00", codeSchema, "not well-formed"},
		"MissingPartIsInItsParent": {"<iSAFFile xmlns='" + namespace + "'><SourceDocuments/></iSAFFile>", codeSchema, "/iSAFFile: Header is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := Validate(strings.NewReader(example.file))
			require.NotEmpty(t, problems)
			last := problems[len(problems)-1]
			if name != "EntityIsNotWellFormed" {
				require.Equal(t, example.code, problems[0].Code)
			}
			require.Contains(t, problems[0].Message+last.Message, example.message)
		})
	}
}
