package delivery

import (
	"fmt"
	"net/netip"
	"syscall"
)

// insideError says that a name led to an address which tenants may not make this server talk to.
type insideError struct{ address netip.Addr }

func (e *insideError) Error() string {
	return fmt.Sprintf("%s is not an address of the public internet", e.address)
}

// closed are the ranges of the IANA special-purpose registries
// (https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry)
// that are not of the public internet, and the public address at which one cloud serves its machines.
var closed = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carriers, and the metadata service of one cloud
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // machine services of Azure (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16)
	"169.254.0.0/16",   // link-local, and most metadata services
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments, and a metadata service
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, and broadcast
	"2001::/23",        // protocol assignments: Teredo, benchmarks and the like
	"2001:db8::/32",    // documentation
	"2002::/16",        // 6to4, which wraps an IPv4 address
	"3fff::/20",        // documentation
)

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is handed out
	translated    = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address, as networks with IPv6 alone reach it
)

func prefixes(texts ...string) []netip.Prefix {
	parsed := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		parsed[i] = netip.MustParsePrefix(text)
	}
	return parsed
}

// isPublic reports an address of the public internet.
func isPublic(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if translated.Contains(a) {
		bytes := a.As16()
		a = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return false
	}
	for _, prefix := range closed {
		if prefix.Contains(a) {
			return false
		}
	}
	return a.IsValid()
}

// guard looks at the address a connection is about to go to: after the name was resolved, so that no name can hide it,
// and for every connection, so that a name which changes its mind does not help either.
func guard(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("reading the address %q: %w", address, err)
	}
	if !isPublic(target.Addr()) {
		return &insideError{target.Addr()}
	}
	return nil
}
