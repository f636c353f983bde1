package delivery

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
)

// Policy is what the operator decided.
type Policy struct {
	// Vault keeps the secrets; without one no subscription can be made.
	Vault *Vault
	// AllowPrivate lets endpoints lie inside the operator's network and speak plain HTTP.
	AllowPrivate bool
}

// checkURL refuses an address no event could be sent to. What a name resolves to is looked at when it is called. Error:
// validation.
func (p Policy) checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxURLLength:
		return apperr.Invalid("url", "must have %d bytes or less", maxURLLength)
	case err != nil || u.Host == "" || u.Hostname() == "":
		return apperr.Invalid("url", "must be an address such as https://example.com/webhooks")
	case u.Scheme != "https" && (!p.AllowPrivate || u.Scheme != "http"):
		return apperr.Invalid("url", "must begin with https://")
	case u.User != nil:
		return apperr.Invalid("url", "must not hold a name or password; verify the signature instead")
	case u.Fragment != "":
		return apperr.Invalid("url", "must not have a part after #, which is never sent")
	}
	if p.AllowPrivate {
		return nil
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if address, err := netip.ParseAddr(host); err == nil && !isPublic(address) || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return apperr.Invalid("url", "must lead to the public internet")
	}
	return nil
}
