package ledger

import (
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Classified is an account of VMI's classifier of ledger accounts, which SAF-T names beside the company's own account. The zero value
// says that no account was chosen.
type Classified struct{ Code, Name string }

// IsZero reports that no account was chosen.
func (c Classified) IsZero() bool { return c == Classified{} }

// Classify gives the account of VMI's classifier for every account of a chart that has one: the one that the company chose, else that
// of the template for an account that is still the template's, else that of the nearest account above. An account that none of these
// says anything of is not in the answer: a code is never guessed.
func Classify(chart []Account) map[tenant.ID]Classified {
	byID := make(map[tenant.ID]Account, len(chart))
	for _, a := range chart {
		byID[a.ID] = a
	}
	classified := make(map[tenant.ID]Classified, len(chart))
	for _, a := range chart {
		// No chart is deeper than it has accounts, whatever its parents say.
		for above, steps := a, 0; steps <= len(chart); steps++ {
			if c := above.classified(); !c.IsZero() {
				classified[a.ID] = c
				break
			}
			if above.ParentID == nil {
				break
			}
			above = byID[*above.ParentID]
		}
	}
	return classified
}

// classified is what the account itself says of the classifier. The name of an account that the template does not use must be given.
func (a Account) classified() Classified {
	if a.SAFTCode == nil {
		return a.templateClassified()
	}
	c := Classified{*a.SAFTCode, modelAccounts[*a.SAFTCode]}
	if a.SAFTName != nil {
		c.Name = *a.SAFTName
	}
	return c
}

// templateClassified is the default of an account of the template. Another chart may use the same code for something else, so the type
// and the name must be the template's too.
func (a Account) templateClassified() Classified {
	t, known := templateByCode[a.Code]
	if !known || t.Type != a.Type || (t.Name != a.Name && t.EnglishName != a.Name) {
		return Classified{}
	}
	code := templateClassifier[a.Code]
	return Classified{code, modelAccounts[code]}
}

// chooseSAFT sets the account of VMI's classifier as far as it is given; an empty code takes the choice back, with its name. An account
// that the template does not use has no name here, so it must be given. Error: validation.
func (a *Account) chooseSAFT(code, name *string) error {
	if code != nil {
		a.SAFTCode, a.SAFTName = code, nil
		if *code == "" {
			a.SAFTCode = nil
		}
	}
	if name != nil && *name != "" {
		a.SAFTName = name
	}
	switch {
	case a.SAFTCode == nil && a.SAFTName != nil:
		return apperr.Invalid("saftName", "is the name of an account of VMI's classifier; give its code as saftCode")
	case a.SAFTCode != nil && a.SAFTName == nil && modelAccounts[*a.SAFTCode] == "":
		return apperr.Invalid("saftName", "is required for the account %s, whose name the server does not know", *a.SAFTCode)
	}
	return nil
}

// rename gives the account another name. It keeps the default that it had by the old one.
func (a *Account) rename(name string) {
	if c := a.classified(); a.SAFTCode == nil && !c.IsZero() {
		a.SAFTCode = &c.Code
	}
	a.Name = name
}

var templateByCode = func() map[string]TemplateAccount {
	accounts := make(map[string]TemplateAccount, len(template))
	for _, t := range template {
		accounts[t.Code] = t
	}
	return accounts
}()
