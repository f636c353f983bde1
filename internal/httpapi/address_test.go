package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressOf(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		proxies         []string
		remote, forward string
		want            string
	}{
		"HeaderOfAStrangerIsNotBelieved":      {nil, "192.0.2.7:1", "203.0.113.9", "192.0.2.7"},
		"HeaderOfALocalStrangerNeither":       {nil, "127.0.0.1:1", "203.0.113.9", "127.0.0.1"},
		"HeaderOfATrustedProxyIs":             {[]string{"10.0.0.0/8"}, "10.1.2.3:1", "203.0.113.9", "203.0.113.9"},
		"WhatTheClientWroteInFrontIsNot":      {[]string{"10.0.0.0/8"}, "10.1.2.3:1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		"ChainOfTrustedProxiesIsFollowed":     {[]string{"10.0.0.0/8"}, "10.1.2.3:1", "203.0.113.9, 10.9.9.9", "203.0.113.9"},
		"HeaderPastTheProxyIsNotBelieved":     {[]string{"10.0.0.0/8"}, "192.0.2.7:1", "203.0.113.9", "192.0.2.7"},
		"OtherPrivateNetworksAreNotTrusted":   {[]string{"10.0.0.1/32"}, "192.168.0.1:1", "203.0.113.9", "192.168.0.1"},
		"IPv6NetworksAreTrustedWhenTheyAreIn": {[]string{"2001:db8::/32"}, "[2001:db8::1]:1", "203.0.113.9", "203.0.113.9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var trusted []netip.Prefix
			for _, text := range example.proxies {
				trusted = append(trusted, netip.MustParsePrefix(text))
			}
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			r.RemoteAddr = example.remote
			r.Header.Set("X-Forwarded-For", example.forward)
			r.Header.Set("X-Real-Ip", "198.51.100.99")
			require.Equal(t, example.want, addressOf(trusted)(r))
		})
	}
}
