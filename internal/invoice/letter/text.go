package letter

import (
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/mail"
)

// write makes the letter of a document in the language of its PDF.
func (l Letter) write(p *invoice.Printout, pdf *document.PDF) mail.Letter {
	seller, number := oneLine(p.Seller.Name), oneLine(*p.FullNumber)
	subject, text := wording(l.Locale, seller, number, p)
	out := mail.Letter{
		To: l.Recipient, Subject: subject, Text: text, FromName: seller, MessageID: l.MessageID,
		Files: []mail.File{{Name: pdf.FileName, MIMEType: document.MIMEType, Content: pdf.Content}},
	}
	// A company's address is checked loosely when it is stored; without a usable one answers go to the server's address.
	if address, err := mail.ParseAddress(p.Seller.Email); err == nil {
		out.ReplyTo = address
	}
	return out
}

// oneLine keeps a name from passing for the text of a letter.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func wording(l document.Language, seller, number string, p *invoice.Printout) (subject, text string) {
	total := p.Amount(p.GrossMinor).String() + " " + p.Currency.Code()
	isDue := p.Type != invoice.TypeCreditNote
	switch l {
	case document.English:
		return seller + ": " + number, "Good day,\n\nattached is the document " + number + " over " + total + "." +
			due(isDue, "\nPayment is due by ", p.DueDate) + "\n\n" + seller + "\n"
	case document.Russian:
		return seller + ": " + number, "Здравствуйте,\n\nприлагаем документ " + number + " на сумму " + total + "." +
			due(isDue, "\nПросим оплатить до ", p.DueDate) + "\n\n" + seller + "\n"
	case document.Lithuanian:
	}
	return seller + ": " + number, "Laba diena,\n\npridedame dokumentą " + number + ", suma " + total + "." +
		due(isDue, "\nPrašome apmokėti iki ", p.DueDate) + "\n\n" + seller + "\n"
}

func due(isDue bool, words string, by date.Date) string {
	if !isDue || by.IsZero() {
		return ""
	}
	return words + by.String() + "."
}
