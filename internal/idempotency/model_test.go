package idempotency

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// node is a JSON value as meant, apart from any spelling of it.
type node struct {
	kind    byte // '{', '[', '"', '0', or 'l' for a literal
	text    string
	members []member
	digits  int64 // the number is digits × 10^power
	power   int
}

// member is a member of an object, or an element of an array without its name.
type member struct {
	name  string
	value *node
}

func drawNode(t *rapid.T, depth int) *node {
	kinds := []byte{'"', '0', 'l'}
	if depth > 0 {
		kinds = append(kinds, '{', '[', '{', '[')
	}
	n := &node{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch n.kind {
	case '"':
		n.text = drawText(t, "text")
	case '0':
		n.digits = rapid.Int64().Draw(t, "digits")
		n.power = rapid.IntRange(-30, 30).Draw(t, "power")
	case 'l':
		n.text = rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "literal")
	case '{':
		for _, name := range rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return drawText(t, "name")
		}), 0, 4, rapid.ID).Draw(t, "names") {
			n.members = append(n.members, member{name, drawNode(t, depth-1)})
		}
	case '[':
		for range rapid.IntRange(0, 4).Draw(t, "elements") {
			n.members = append(n.members, member{"", drawNode(t, depth-1)})
		}
	}
	return n
}

func drawText(t *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.StringN(0, 6, -1),
		rapid.SampledFrom([]string{"", "quantity", "a/b", "~", "\"", "\\", "\u2028", "😀", "\uffee", "\x00", "<&>"}),
	).Draw(t, label)
}

// spell writes the value in one of its many spellings.
func (n *node) spell(t *rapid.T) string {
	var out strings.Builder
	n.write(t, &out)
	return out.String()
}

func (n *node) write(t *rapid.T, out *strings.Builder) {
	out.WriteString(drawSpace(t))
	switch n.kind {
	case '{':
		out.WriteByte('{')
		for i, m := range rapid.Permutation(n.members).Draw(t, "order") {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(drawSpace(t) + spellText(t, m.name) + drawSpace(t) + ":")
			m.value.write(t, out)
		}
		out.WriteString(drawSpace(t) + "}")
	case '[':
		out.WriteByte('[')
		for i, m := range n.members {
			if i > 0 {
				out.WriteByte(',')
			}
			m.value.write(t, out)
		}
		out.WriteString(drawSpace(t) + "]")
	case '"':
		out.WriteString(spellText(t, n.text))
	case '0':
		out.WriteString(spellNumber(t, n.digits, n.power))
	default:
		out.WriteString(n.text)
	}
	out.WriteString(drawSpace(t))
}

func drawSpace(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "}).Draw(t, "space")
}

func spellText(t *rapid.T, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		mustEscape := r < ' ' || r == '"' || r == '\\'
		switch {
		case !mustEscape && rapid.Bool().Draw(t, "verbatim"):
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func spellNumber(t *rapid.T, digits int64, power int) string {
	text, negative := strings.CutPrefix(strconv.FormatInt(digits, 10), "-")
	zeros := rapid.IntRange(0, 5).Draw(t, "zeros")
	text += strings.Repeat("0", zeros)
	power -= zeros
	if point := rapid.IntRange(0, len(text)-1).Draw(t, "point"); point > 0 && text[0] != '0' {
		power += len(text) - point
		text = text[:point] + "." + text[point:]
	} else if text[0] == '0' {
		text = "0"
	}
	if negative {
		text = "-" + text
	}
	sign := ""
	if power >= 0 {
		sign = rapid.SampledFrom([]string{"", "+"}).Draw(t, "sign")
	}
	return text + rapid.SampledFrom([]string{"e", "E"}).Draw(t, "e") + sign + strconv.Itoa(power)
}

// scalars gathers the scalars of the value with their JSON pointers.
func (n *node) scalars(pointer string, found map[string]*node) {
	switch n.kind {
	case '{':
		escape := strings.NewReplacer("~", "~0", "/", "~1")
		for _, m := range n.members {
			m.value.scalars(pointer+"/"+escape.Replace(m.name), found)
		}
	case '[':
		for i, m := range n.members {
			m.value.scalars(pointer+"/"+strconv.Itoa(i), found)
		}
	default:
		found[pointer] = n
	}
}

// change gives a scalar the nearest other value of its kind.
func (n *node) change() {
	switch {
	case n.kind == '"':
		n.text += "x"
	case n.kind == '0' && n.digits == 0:
		n.digits = 1
	case n.kind == '0' && n.digits < 0:
		n.digits++
	case n.kind == '0':
		n.digits--
	case n.text == "null":
		n.text = "false"
	default:
		n.text = "null"
	}
}

// edited returns the value with some parts added, removed or replaced.
func (n *node) edited(t *rapid.T, depth int) *node {
	if n.kind != '{' && n.kind != '[' || rapid.IntRange(0, 9).Draw(t, "replace") == 0 {
		return drawNode(t, depth)
	}
	result := &node{kind: n.kind}
	names := map[string]bool{}
	for _, m := range n.members {
		switch rapid.SampledFrom([]string{"keep", "keep", "edit", "remove"}).Draw(t, "edit") {
		case "keep":
			result.members = append(result.members, m)
			names[m.name] = true
		case "edit":
			result.members = append(result.members, member{m.name, m.value.edited(t, depth-1)})
			names[m.name] = true
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "added") {
		added := member{value: drawNode(t, max(depth-1, 0))}
		if n.kind == '{' {
			added.name = drawText(t, "added name")
			if names[added.name] {
				continue
			}
			names[added.name] = true
		}
		result.members = append(result.members, added)
	}
	return result
}
