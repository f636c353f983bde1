package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/vienkart/vienkart/internal/idempotency"
)

const (
	bearerSecurity = "bearer"

	documentIntroduction = "Every operation is a POST with a JSON object as its body, which may be {}. Amounts, quantities and " +
		"percentages are decimal strings in answers. A member that the request does not have is refused, and null counts " +
		"as absent. A mutation takes an Idempotency-Key: sent again with the same key and body, it answers as it did the " +
		"first time and books nothing twice. Every error says in retryWith which key a retry must carry."
	authenticationText = "A JSON Web Token of the company, or one of its API keys."
)

// Document is the OpenAPI document of every operation, for tools that need no server.
func Document() ([]byte, error) { return document(routes(Dependencies{}), "development") }

// document writes the OpenAPI 3.1 document of the operations. The same operations give the same bytes. Errors: two
// types that would share a component's name, or a path given twice.
func document(operations []Operation, version string) ([]byte, error) {
	types, err := newSchemas(operations)
	if err != nil {
		return nil, err
	}
	spec := openapi31.Spec{Openapi: "3.1.0"}
	spec.Info.WithTitle("Vienkart").WithVersion(version).WithDescription(documentIntroduction)
	spec.WithServers(openapi31.Server{URL: "/"})
	spec.SetHTTPBearerTokenSecurity(bearerSecurity, "JWT", authenticationText)
	paths := map[string]openapi31.PathItem{}
	var tags []string
	for _, o := range operations {
		if _, exists := paths[o.Path]; exists {
			return nil, fmt.Errorf("writing the API document: %s is listed twice", o.Path)
		}
		paths[o.Path] = openapi31.PathItem{Post: operationDocument(types, o)}
		tags = append(tags, moduleOf(o.Path))
	}
	spec.WithPaths(openapi31.Paths{MapOfPathItemValues: paths})
	slices.Sort(tags)
	for _, tag := range slices.Compact(tags) {
		spec.Tags = append(spec.Tags, openapi31.Tag{Name: tag})
	}
	refusal := types.of(reflect.TypeFor[errorBody](), answered)
	components := spec.ComponentsEns()
	components.Schemas = types.components
	components.Headers = answerHeaders()
	components.Parameters = map[string]openapi31.ParameterOrReference{
		idempotency.Header: {Parameter: keyParameter()}, headerSimulate: {Parameter: simulateParameter()},
	}
	components.Responses = errorAnswers(refusal)
	encoded, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("writing the API document: %w", err)
	}
	return encoded, nil
}

func operationDocument(types *schemas, o Operation) *openapi31.Operation {
	out := &openapi31.Operation{}
	out.WithTags(moduleOf(o.Path)).WithSummary(o.Summary).WithID(operationID(o.Path))
	if o.Description != "" {
		out.WithDescription(o.Description)
	}
	if o.Permission == "" {
		out.WithSecurity() // open to everyone
	} else {
		out.WithSecurity(map[string][]string{bearerSecurity: {}})
		out.WithMapOfAnythingItem("x-permission", string(o.Permission))
	}
	if o.Mutation {
		out.WithParameters(parameterReference(idempotency.Header), parameterReference(headerSimulate))
	}
	body := openapi31.RequestBody{}
	body.WithRequired(true).WithContentItem(echo.MIMEApplicationJSON, openapi31.MediaType{Schema: types.of(o.Request, asked)})
	out.WithRequestBody(openapi31.RequestBodyOrReference{RequestBody: &body})
	success := openapi31.Response{Description: "Done."}
	success.WithContentItem(echo.MIMEApplicationJSON, openapi31.MediaType{Schema: types.of(o.Response, answered)})
	success.Headers = headersOf(o)
	answers := map[string]openapi31.ResponseOrReference{strconv.Itoa(http.StatusOK): {Response: &success}}
	for _, e := range errorStatuses {
		answers[strconv.Itoa(e.status)] = openapi31.ResponseOrReference{
			Reference: &openapi31.Reference{Ref: "#/components/responses/" + e.name},
		}
	}
	out.WithResponses(openapi31.Responses{MapOfResponseOrReferenceValues: answers})
	return out
}

func parameterReference(name string) openapi31.ParameterOrReference {
	return openapi31.ParameterOrReference{Reference: &openapi31.Reference{Ref: "#/components/parameters/" + name}}
}

// moduleOf is the second segment of a path: "sales" of /v1/sales/invoices/create.
func moduleOf(path string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	module, _, _ := strings.Cut(rest, "/")
	return module
}

// operationID is a name for generated clients: "salesInvoicesCreate".
func operationID(path string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	var out strings.Builder
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || r == '-' }) {
		if out.Len() > 0 {
			word = capital(word)
		}
		out.WriteString(word)
	}
	return out.String()
}
