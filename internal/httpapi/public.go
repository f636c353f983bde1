package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/account"
)

// publicOperations take what strangers send.
func publicOperations(desk *account.Desk) []Operation {
	return []Operation{
		open("/v1/public/integration-requests", "Ask for an integration",
			func(ctx context.Context, v account.Visit, in integrationRequest) (integrationResponse, error) {
				return integrationResponse{true}, desk.KeepWish(ctx, v, account.Wish{
					Integration: in.Integration, Name: in.Name, Email: in.Email, Company: in.Company, Website: in.Website, Details: in.Details,
				})
			}),
	}
}

type integrationRequest struct {
	Integration string `json:"integration" maxLength:"100" description:"What to integrate with."`
	Name        string `json:"name" maxLength:"255" description:"Who asks."`
	Company     string `json:"company,omitzero" maxLength:"255" description:"For which company."`
	Email       string `json:"email" maxLength:"254" description:"Where to answer."`
	Details     string `json:"details,omitzero" maxLength:"5000" description:"What it should do."`
	Website     string `json:"website,omitzero" maxLength:"255" description:"Website of the company or of the service."`
}

type integrationResponse struct {
	Received bool `json:"received" description:"Always true: it is stored for the operator to read."`
}
