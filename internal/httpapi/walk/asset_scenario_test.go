package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func newAssetGroup(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/assets/groups/create", assetGroup())
}

func assetGroup() body {
	return body{"code": unique("G"), "name": "Computers", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36}
}

func asset(t *testing.T, c *process.Client) body {
	t.Helper()
	return body{
		"groupId": newAssetGroup(t, c), "code": unique("A"), "name": "Laptop", "acquisitionDate": "2025-12-15", "acquisitionCost": "1200.00",
		"usefulLifeMonths": 36,
	}
}

func newAsset(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/assets/assets/create", asset(t, c))
}

var assetScenarios = map[string]scenario{
	"/v1/assets/groups/create": func(*testing.T, *process.Client) body { return assetGroup() },
	"/v1/assets/groups/list":   fixed(body{}),
	"/v1/assets/assets/create": asset,
	"/v1/assets/assets/get":    func(t *testing.T, c *process.Client) body { return body{"id": newAsset(t, c)} },
	"/v1/assets/assets/list":   fixed(body{}),
	"/v1/assets/assets/modernize": func(t *testing.T, c *process.Client) body {
		return body{"id": newAsset(t, c), "date": "2026-01-15", "amount": "120.00", "addedLifeMonths": 12}
	},
	"/v1/assets/assets/dispose": func(t *testing.T, c *process.Client) body {
		return body{"id": newAsset(t, c), "date": "2025-12-20", "reason": "broken"}
	},
	"/v1/assets/depreciation/preview": fixed(body{"year": 2026, "month": 1}),
	"/v1/assets/depreciation/post": func(t *testing.T, c *process.Client) body {
		newAsset(t, c)
		return body{"year": 2026, "month": 1}
	},
}
