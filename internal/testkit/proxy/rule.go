package proxy

import (
	"bytes"
	"time"
)

// Rule is what happens to requests, which are the bytes from a client to the target, and to replies, which are those back. A
// rule holds for connections that are open and for new ones, from the moment it is set.
type Rule struct {
	delay      time.Duration
	swallow    bool
	cut        bool
	cutAfter   int64
	cutAnswer  []byte
	loseAnswer []byte
	cutRequest bool
	sendAfter  int64
	cutBefore  []byte
	refuse     bool
	then       *Rule
}

// Then is the rule after this one has cut its first connection, or lost its first reply.
func (r Rule) Then(next Rule) Rule {
	r.then = &next
	return r
}

// Pass passes everything on.
func Pass() Rule { return Rule{} }

// Delay passes each piece of a reply on after a while.
func Delay(d time.Duration) Rule { return Rule{delay: d} }

// BlackHole swallows replies and leaves connections open.
func BlackHole() Rule { return Rule{swallow: true} }

// Refuse closes new connections at once, and open ones at the next reply.
func Refuse() Rule { return Rule{refuse: true, cut: true} }

// CutRepliesAfter passes a number of bytes of each connection's replies on, counted from when the rule was set, then closes
// the connection: the target has done what it was asked, and the client does not learn it.
func CutRepliesAfter(n int64) Rule { return Rule{cut: true, cutAfter: n} }

// CutAnswerTo closes a connection instead of passing on the reply to a piece that held the text, when the target has done all of it.
func CutAnswerTo(text string) Rule { return Rule{cutAnswer: []byte(text)} }

// LoseAnswerTo leaves the connection open and never passes the reply on to a piece that held the text, nor any after it.
func LoseAnswerTo(text string) Rule { return Rule{loseAnswer: []byte(text)} }

// loses reports that a reply comes to nothing.
func (r *Rule) loses(c *connection) bool {
	if r.loseAnswer == nil {
		return r.swallow
	}
	request, _ := c.request.Load().([]byte)
	return bytes.Contains(request, r.loseAnswer)
}

// CutRequestsAfter passes a number of bytes of each connection's requests on, counted from when the rule was set, then closes
// the connection: the target gets a part of what it was asked.
func CutRequestsAfter(n int64) Rule { return Rule{cutRequest: true, sendAfter: n} }

// CutBefore closes a connection instead of passing on a piece that holds the text: the target never gets it.
func CutBefore(text string) Rule { return Rule{cutBefore: []byte(text)} }

// stops reports that the target must not get the rest of a request, and how much of it it still gets.
func (r *Rule) stops(c *connection, request []byte) (pass []byte, stops bool) {
	switch {
	case r.cutBefore != nil:
		if bytes.Contains(request, r.cutBefore) {
			return nil, true
		}
	case r.cutRequest:
		left := r.sendAfter - c.sent
		if int64(len(request)) >= left {
			return request[:max(left, 0)], true
		}
	}
	return request, false
}

// ends reports that a connection must not get the rest of a reply, and how much of it it may still get.
func (r *Rule) ends(c *connection, reply []byte) (pass []byte, ends bool) {
	switch {
	case r.cutAnswer != nil:
		request, _ := c.request.Load().([]byte)
		if bytes.Contains(request, r.cutAnswer) {
			return nil, true
		}
	case r.cut:
		left := r.cutAfter - c.passed
		if int64(len(reply)) >= left {
			return reply[:max(left, 0)], true
		}
	}
	return reply, false
}
