package export

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
)

// MaxFileBytes bounds a file, which travels in one answer. An i.SAF file of a hundred thousand invoices has two parts of that.
const MaxFileBytes = 64 << 20

// spool is a file in the making. It holds its bytes compressed: text of this sort shrinks to a tenth and less, and what a job holds in
// memory does not grow with its file. Use newSpool.
type spool struct {
	held     bytes.Buffer
	squeeze  *flate.Writer
	digest   hash.Hash
	size     int64
	isClosed bool
}

func newSpool() *spool {
	s := &spool{digest: sha256.New()}
	s.squeeze, _ = flate.NewWriter(&s.held, flate.BestSpeed) // the level is valid
	return s
}

// Write appends. Error: export.too_large.
func (s *spool) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > MaxFileBytes {
		return 0, ErrTooLarge.New("The file would be larger than %d MiB; narrow the days, ask for a part, or choose csv.", MaxFileBytes>>20)
	}
	s.size += int64(len(p))
	_, _ = s.digest.Write(p) // a hash never fails
	if _, err := s.squeeze.Write(p); err != nil {
		return 0, fmt.Errorf("holding a file: %w", err)
	}
	return len(p), nil
}

// close ends the writing.
func (s *spool) close() error {
	if s.isClosed {
		return nil
	}
	s.isClosed = true
	if err := s.squeeze.Close(); err != nil {
		return fmt.Errorf("holding a file: %w", err)
	}
	s.squeeze = nil // it holds more than a megabyte by itself
	return nil
}

// open reads the bytes of a closed spool from the beginning.
func (s *spool) open() io.ReadCloser { return flate.NewReader(bytes.NewReader(s.held.Bytes())) }

func (s *spool) sum() []byte { return s.digest.Sum(nil) }
