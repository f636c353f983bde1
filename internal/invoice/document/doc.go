// Package document writes sales documents as PDF.
//
// Owns: what a printed document says and in which words, its layout and its font.
//
// Does not own: what the document is (package invoice), where the PDF goes (package letter, the API).
//
// Invariants: the same document in the same language gives the same bytes, however often it is asked for and whoever asks; no
// character is left out: a text that the font cannot write is refused; amounts pass through here as text.
//
// Sources: what a VAT invoice must say is in Art 80(1) of the Lithuanian VAT law (series and number, point 2; reference for a
// supply that bears no VAT, point 11; the words of reverse charge, point 12) and Art 226 of Directive 2006/112/EC; what a credit or
// debit note must say in Art 83, and VMI's answer KD-3815 in its knowledge base.
package document
