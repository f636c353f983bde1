package main

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
)

// mailer reads how letters are sent. Without a mail server a developer's machine prints them; any other server sends
// none, since a log is no place for secrets.
func (c *config) mailer(isDevelopment bool) (*mail.Mailer, error) {
	switch {
	case c.SMTPURL != "":
		return mail.New(c.SMTPURL, c.MailFrom) //nolint:wrapcheck // says which variable is wrong
	case isDevelopment:
		return mail.NewLog(), nil
	}
	slog.Warn("no mail server is configured (VIENKART_SMTP_URL): login links, invitations and invoices are not sent")
	return nil, nil //nolint:nilnil // a nil mailer sends nothing
}

// desk makes what signs people in. Address is where the server listens: what links begin with unless
// VIENKART_PUBLIC_URL says otherwise.
func (c *config) desk(tokens *tenant.Tokens, letters *mail.Mailer, address string) (*account.Desk, error) {
	public := c.PublicURL
	if public == "" {
		public = c.scheme() + "://" + address
	}
	if u, err := url.Parse(public); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("VIENKART_PUBLIC_URL is %q; it must be an address such as https://books.example.com", public)
	}
	return account.NewDesk(tokens, account.DeskOptions{Mail: letters, PublicURL: public, SignUp: c.SignUp}), nil
}

// proxies reads the networks of trusted proxies, such as 10.0.0.0/8 or 192.0.2.1.
func (c *config) proxies() ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(c.TrustedProxies))
	for _, text := range c.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if single, addressErr := netip.ParseAddr(text); addressErr == nil {
			network, err = netip.PrefixFrom(single, single.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("VIENKART_TRUSTED_PROXIES: %q is no network such as 10.0.0.0/8", text)
		}
		networks = append(networks, network)
	}
	return networks, nil
}
