package delivery_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

func TestURL(t *testing.T) {
	t.Parallel()
	tooLong := "https://example.lt/" + strings.Repeat("a", 2000)
	public, private := delivery.Policy{}, delivery.Policy{AllowPrivate: true}
	for url, allowed := range map[string][2]bool{ // by a policy for the public internet, and by one that allows private addresses
		"https://example.lt/hook":          {true, true},
		"https://example.lt:8443/hook?a=b": {true, true},
		"https://93.184.216.34/":           {true, true},
		"http://example.lt/hook":           {false, true},
		"http://127.0.0.1:9000/":           {false, true},
		"https://127.0.0.1/":               {false, true},
		"https://localhost/":               {false, true},
		"https://LOCALHOST./":              {false, true},
		"https://hook.localhost/":          {false, true},
		"https://[::1]/":                   {false, true},
		"https://[::ffff:10.0.0.1]/":       {false, true},
		"https://169.254.169.254/latest/":  {false, true},
		"https://user:secret@example.lt/":  {false, false},
		"https://example.lt/#part":         {false, false},
		"ftp://example.lt/":                {false, false},
		"file:///etc/passwd":               {false, false},
		"https://":                         {false, false},
		"https://:443/":                    {false, false},
		"example.lt/hook":                  {false, false},
		"":                                 {false, false},
		tooLong:                            {false, false},
	} {
		t.Run(url, func(t *testing.T) {
			t.Parallel()
			for i, policy := range []delivery.Policy{public, private} {
				err := policy.CheckURL(url)
				if allowed[i] {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, apperr.ErrValidation)
				}
			}
		})
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	encoded := func(n int) string { return "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, n)) }
	for secret, allowed := range map[string]bool{
		encoded(24): true, encoded(64): true, encoded(23): false, encoded(65): false, "whsec_": false, "whsec_not base64 at all, is it": false,
		strings.Repeat("a", 24): true, strings.Repeat("a", 75): true, strings.Repeat("a", 23): false, strings.Repeat("a", 76): false,
	} {
		t.Run(secret, func(t *testing.T) {
			t.Parallel()
			if allowed {
				require.NoError(t, delivery.CheckSecret(secret))
			} else {
				require.ErrorIs(t, delivery.CheckSecret(secret), apperr.ErrValidation)
			}
		})
	}
	t.Run("PlainTextIsTheKeyItself", func(t *testing.T) {
		t.Parallel()
		text := strings.Repeat("key ", 6)
		key, err := delivery.SigningKey(text)
		require.NoError(t, err)
		require.Equal(t, text, string(key))
	})
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		events []string
		want   string
	}{
		"OneIsKept":              {[]string{"sale_invoice.issued"}, "sale_invoice.issued"},
		"TheyAreSortedAndUnique": {[]string{"sale_invoice.issued", "purchase_invoice.*", "sale_invoice.issued"}, "purchase_invoice.* sale_invoice.issued"},
		"AllIsAllowed":           {[]string{"*"}, "*"},
		"NoneIsRefused":          {nil, ""},
		"UnknownIsRefused":       {[]string{"sale_invoice.eaten"}, ""},
		"UnknownObjectIsRefused": {[]string{"cake.*"}, ""},
		"BlankIsRefused":         {[]string{"* *"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := delivery.CheckEvents(example.events)
			if example.want == "" {
				require.ErrorIs(t, err, apperr.ErrValidation)
				return
			}
			require.NoError(t, err)
			require.Equal(t, example.want, got)
		})
	}
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	t.Run("TwelveAttemptsInAboutThreeDays", func(t *testing.T) {
		t.Parallel()
		var total time.Duration
		attempts := 1
		for {
			pause, again := delivery.PauseAfter(attempts, 0)
			if !again {
				break
			}
			attempts++
			total += pause
		}
		require.Equal(t, delivery.MaxAttempts, attempts)
		require.Equal(t, 12, attempts)
		require.GreaterOrEqual(t, total, delivery.LastingFailure, "all of them failing pauses the subscription")
		require.Less(t, total, 86*time.Hour)
	})
	t.Run("PausesDiffer", func(t *testing.T) {
		t.Parallel()
		pauses := map[time.Duration]bool{}
		for range 20 {
			pause, _ := delivery.PauseAfter(6, 0)
			require.GreaterOrEqual(t, pause, time.Hour)
			require.Less(t, pause, 72*time.Minute)
			pauses[pause] = true
		}
		require.Greater(t, len(pauses), 10)
	})
	t.Run("ReceiverMayAskForMoreUpToADay", func(t *testing.T) {
		t.Parallel()
		pause, _ := delivery.PauseAfter(1, 10*time.Minute)
		require.Equal(t, 10*time.Minute, pause)
		pause, _ = delivery.PauseAfter(1, 1000*time.Hour)
		require.Equal(t, 24*time.Hour, pause)
		pause, _ = delivery.PauseAfter(9, time.Second)
		require.GreaterOrEqual(t, pause, 12*time.Hour, "it may not ask for less")
	})
}

func TestVault(t *testing.T) {
	t.Parallel()
	vault, err := delivery.NewVault(strings.Repeat("k", 32))
	require.NoError(t, err)
	company, subscription := tenant.NewID(), tenant.NewID()
	sealed := vault.Seal("whsec_abc", company, subscription)
	require.NotContains(t, string(sealed), "whsec")
	t.Run("OpensWhatItSealed", func(t *testing.T) {
		t.Parallel()
		secret, err := vault.Open(sealed, company, subscription)
		require.NoError(t, err)
		require.Equal(t, "whsec_abc", secret)
	})
	t.Run("SealsDifferEachTime", func(t *testing.T) {
		t.Parallel()
		require.NotEqual(t, sealed, vault.Seal("whsec_abc", company, subscription))
	})
	t.Run("OtherOwnerIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := vault.Open(sealed, company, tenant.NewID())
		require.Error(t, err)
		_, err = vault.Open(sealed, tenant.NewID(), subscription)
		require.Error(t, err)
	})
	t.Run("OtherKeyIsRefused", func(t *testing.T) {
		t.Parallel()
		other, err := delivery.NewVault(strings.Repeat("l", 32))
		require.NoError(t, err)
		_, err = other.Open(sealed, company, subscription)
		require.Error(t, err)
	})
	t.Run("CutOrChangedIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := vault.Open(sealed[:8], company, subscription)
		require.Error(t, err)
		changed := append([]byte(nil), sealed...)
		changed[len(changed)-1] ^= 1
		_, err = vault.Open(changed, company, subscription)
		require.Error(t, err)
	})
	t.Run("ShortKeyIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := delivery.NewVault(strings.Repeat("k", 31))
		require.Error(t, err)
	})
}
