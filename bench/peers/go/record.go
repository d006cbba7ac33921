// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// session runs the cases: one at a time, timed, counted, and printed as a bench record.
type session struct {
	suite, group string
	failed       bool
}

// newSession reads the program's arguments, and ends the program if they make no sense.
func newSession() *session {
	if len(os.Args) != 3 || (os.Args[2] != "alone" && os.Args[2] != "threads") {
		fmt.Fprintf(os.Stderr, "%s: call it with a suite, and alone or threads\n", os.Args[0])
		os.Exit(2)
	}
	return &session{suite: os.Args[1], group: os.Args[2]}
}

func (s *session) wants(suite, group string) bool { return s.suite == suite && s.group == group }

// time measures run, which does the work so many times, and returns the number of times and the
// duration. A tenth of it comes first, unmeasured; the value is the median of the repeats. more is
// added to the record. A run with a wrong count has no record.
func (s *session) time(name string, repeats int, count uint64, run func(uint64) (uint64, time.Duration), more ...string) {
	if handled, _ := run(count / 10); !s.expect(name, count/10, handled) {
		return
	}
	var each []float64
	for range repeats {
		runtime.GC()
		handled, took := run(count)
		if !s.expect(name, count, handled) {
			return
		}
		each = append(each, float64(took.Nanoseconds())/float64(count))
	}
	slices.Sort(each)
	s.print(name, "ns", each[len(each)/2], count)
	fmt.Printf(" repeats=%d min=%.3f max=%.3f pushed=%d handled=%d%s\n",
		repeats, each[0], each[len(each)-1], count, count, strings.Join(more, ""))
}

// bytes prints the bytes of one of count things; how names the counter.
func (s *session) bytes(name string, count, total uint64, how string) {
	s.print(name, "bytes", float64(total)/float64(count), count)
	fmt.Printf(" by=%s\n", how)
}

// expect returns whether handled is pushed. If it is not, expect says so and makes the program end
// with 1.
func (s *session) expect(name string, pushed, handled uint64) bool {
	if pushed != handled {
		fmt.Fprintf(os.Stderr, "go: %s: handled %d of %d\n", name, handled, pushed)
		s.failed = true
	}
	return pushed == handled
}

func (s *session) print(name, unit string, value float64, count uint64) {
	version := strings.TrimPrefix(runtime.Version(), "go")
	fmt.Printf("baton-bench/1 suite=%s case=%s board=host unit=%s iterations=%d value=%.3f valid=measured"+
		" peer=go peer_version=%s", s.suite, name, unit, count, value, version)
}

func (s *session) end() {
	if s.failed {
		os.Exit(1)
	}
}
