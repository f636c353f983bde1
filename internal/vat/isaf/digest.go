package isaf

import (
	"bytes"
	"crypto/sha256"
)

// varying are the elements that differ between two files of the same rows: the moment, and the program's version.
var varying = [][]byte{[]byte("<FileDateCreated>"), []byte("<SoftwareVersion>")}

// ContentDigest is the SHA-256 of a file that Write made, without what differs each time it is made: equal rows, company, data
// type and part number give an equal digest.
func ContentDigest(file []byte) [sha256.Size]byte {
	h := sha256.New()
	for line := range bytes.Lines(file) {
		isVarying := false
		for _, element := range varying {
			isVarying = isVarying || bytes.HasPrefix(line, element)
		}
		if !isVarying {
			h.Write(line)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
