package idempotency

import (
	"cmp"
	"mime"
	"net/url"
	"slices"
	"strings"
)

// queryPair is one pair of a query string; text is its one spelling.
type queryPair struct {
	key, value, text string
}

// canonicalQuery returns the query with its pairs in the order of key and then
// value, each escaped in one way. A pair whose escapes are malformed stands as
// it came: an escaped pair can never look like it.
func canonicalQuery(raw string) string {
	var pairs []queryPair
	for part := range strings.SplitSeq(raw, "&") {
		if part != "" {
			pairs = append(pairs, parseQueryPair(part))
		}
	}
	slices.SortFunc(pairs, func(a, b queryPair) int {
		return cmp.Or(
			cmp.Compare(a.key, b.key),
			cmp.Compare(a.value, b.value),
			cmp.Compare(a.text, b.text),
		)
	})
	var query strings.Builder
	for i, pair := range pairs {
		if i > 0 {
			query.WriteByte('&')
		}
		query.WriteString(pair.text)
	}
	return query.String()
}

func parseQueryPair(part string) queryPair {
	rawKey, rawValue, _ := strings.Cut(part, "=")
	key, keyErr := url.QueryUnescape(rawKey)
	value, valueErr := url.QueryUnescape(rawValue)
	if keyErr != nil || valueErr != nil {
		return queryPair{key: rawKey, value: rawValue, text: part}
	}
	return queryPair{key: key, value: value, text: url.QueryEscape(key) + "=" + url.QueryEscape(value)}
}

// canonicalMediaType returns type/subtype in small letters, with the charset
// when it is not UTF-8: every other parameter leaves the JSON the same. A header
// that cannot be read stands as it came, in small letters.
func canonicalMediaType(header string) string {
	if strings.TrimSpace(header) == "" {
		return ""
	}
	mediaType, params, err := mime.ParseMediaType(header)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(header))
	}
	charset := strings.ToLower(params["charset"])
	if charset == "" || charset == "utf-8" {
		return mediaType
	}
	if written := mime.FormatMediaType(mediaType, map[string]string{"charset": charset}); written != "" {
		return written
	}
	return strings.ToLower(strings.TrimSpace(header))
}
