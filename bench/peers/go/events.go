// SPDX-License-Identifier: MIT

package main

const batch = 4096

// randomNumbers are the pseudo-random numbers that all peers draw from.
type randomNumbers struct{ state uint32 }

func (r *randomNumbers) next() uint32 {
	r.state = r.state*1664525 + 1013904223
	return r.state >> 8
}

// event has 16 bytes: its type, its target and its values.
type event struct {
	kind, target uint16
	number       uint32
	value        uint64
}

// events are the events of one producer, with types in turn or at random.
type events struct {
	random  bool
	count   uint32
	numbers randomNumbers
}

func newEvents(random bool) *events { return &events{random: random, numbers: randomNumbers{1}} }

func (e *events) next() event {
	e.count++
	number := e.count
	if e.random {
		number = e.numbers.next() >> 8
	}
	return event{kind: uint16(number % 4), number: number, value: uint64(e.count)}
}

// handlers has a handler for each of the four types.
type handlers struct {
	sums    [4]uint64
	handled uint64
}

func (h *handlers) dispatch(happened *event) {
	switch happened.kind {
	case 0:
		h.sums[0] += uint64(happened.number)
	case 1:
		h.sums[1] ^= happened.value
	case 2:
		h.sums[2] += happened.value + 1
	default:
		h.sums[3] -= uint64(happened.number)
	}
	h.handled++
}
