package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Document is an OpenAPI document whose operations are all POSTs with JSON bodies.
type Document struct {
	root       map[string]any
	operations map[string]operation
}

// operation is what an operation takes and gives; a nil schema allows anything.
type operation struct{ request, answer map[string]any }

// Open reads a document from a file.
func Open(file string) (*Document, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("opening an OpenAPI document: %w", err)
	}
	return Parse(data)
}

// Parse reads a document. Error: no JSON object, or no paths in it.
func Parse(data []byte) (*Document, error) {
	d := &Document{operations: map[string]operation{}}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("reading an OpenAPI document: %w", err)
	}
	paths, ok := d.root["paths"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("reading an OpenAPI document: it has no paths")
	}
	for path, item := range paths {
		post := d.at(item, "post")
		if post == nil {
			continue
		}
		d.operations[path] = operation{
			request: d.at(post, "requestBody", "content", "application/json", "schema"),
			answer:  d.at(post, "responses", "200", "content", "application/json", "schema"),
		}
	}
	return d, nil
}

// Paths lists the operations by path.
func (d *Document) Paths() []string { return slices.Sorted(maps.Keys(d.operations)) }

// at goes down from an object by names and resolves references on the way; nil when there is no object.
func (d *Document) at(from any, names ...string) map[string]any {
	object := d.resolve(from)
	for _, name := range names {
		object = d.resolve(object[name])
	}
	return object
}

// maxReferences bounds a chain of references, which could be a circle.
const maxReferences = 20

func (d *Document) resolve(value any) map[string]any {
	object, _ := value.(map[string]any)
	for range maxReferences {
		reference, ok := object["$ref"].(string)
		if !ok {
			return object
		}
		var target any = d.root
		for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			parent, _ := target.(map[string]any)
			target = parent[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
		object, _ = target.(map[string]any)
	}
	return nil
}
