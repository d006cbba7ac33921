// SPDX-License-Identifier: MIT

// The peer Go: goroutines, channels and timers of its run time.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// sink keeps the result of a case.
var sink uint64

func switching(count uint64) (uint64, time.Duration) {
	var switches uint64
	var ended sync.WaitGroup
	began := time.Now()
	for range 2 {
		ended.Go(func() {
			for switches++; switches < count; switches++ {
				runtime.Gosched()
			}
		})
	}
	ended.Wait()
	return switches - 1, time.Since(began) // the second goroutine raises it once more, to see that it is full
}

func rendezvous(count uint64) (uint64, time.Duration) {
	between := make(chan uint64)
	var received uint64
	began := time.Now()
	go func() {
		for number := range count {
			between <- number
		}
		close(between)
	}()
	for number := range between {
		if number == received {
			received++
		}
	}
	return received, time.Since(began)
}

// block is a message whose first word counts.
type block interface {
	[1]uint32 | [16]uint32 | [64]uint32
	comparable
}

func calling[B block](set func(*B, uint32), word func(*B) uint32) func(uint64) (uint64, time.Duration) {
	return func(count uint64) (uint64, time.Duration) {
		requests, replies := make(chan B), make(chan B)
		go func() {
			for message := range requests {
				set(&message, word(&message)+1)
				replies <- message
			}
		}()
		var handled uint64
		var request B
		began := time.Now()
		for number := range count {
			set(&request, uint32(number))
			requests <- request
			reply := <-replies
			if word(&reply) == uint32(number)+1 {
				handled++
			}
		}
		took := time.Since(began)
		close(requests)
		return handled, took
	}
}

func dispatching(random bool) func(uint64) (uint64, time.Duration) {
	return func(count uint64) (uint64, time.Duration) {
		queue := make(chan event, batch)
		source := newEvents(random)
		var all handlers
		began := time.Now()
		for pushed := uint64(0); pushed < count; {
			size := min(batch, count-pushed)
			for range size {
				queue <- source.next()
			}
			pushed += size
			for range size {
				happened := <-queue
				all.dispatch(&happened)
			}
		}
		took := time.Since(began)
		sink += all.sums[0] + all.sums[1] + all.sums[2] + all.sums[3]
		return all.handled, took
	}
}

func crossThread(producers uint64) func(uint64) (uint64, time.Duration) {
	return func(count uint64) (uint64, time.Duration) {
		queue := make(chan event, batch)
		start := make(chan struct{})
		for index := range producers {
			share := count / producers
			if index < count%producers {
				share++
			}
			go func() {
				source := newEvents(false)
				<-start
				for range share {
					queue <- source.next()
				}
			}()
		}
		var all handlers
		began := time.Now()
		close(start)
		for all.handled != count {
			happened := <-queue
			all.dispatch(&happened)
		}
		took := time.Since(began)
		sink += all.sums[0] + all.sums[1] + all.sums[2] + all.sums[3]
		return all.handled, took
	}
}

func spawn(count uint64) (uint64, time.Duration) {
	var all uint64
	var ended sync.WaitGroup
	began := time.Now()
	for done := uint64(0); done < count; done += 1000 {
		ended.Add(1000)
		for range 1000 {
			go func() {
				all++
				ended.Done()
			}()
		}
		ended.Wait()
	}
	return all, time.Since(began)
}

// processorTime is the processor's time that this program has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timer arms all timers before the first is due, because the run time fires them by itself. They
// are due over a longer time than firing takes, and the figure is the processor's time.
func timer(count uint64) (uint64, time.Duration) {
	const arming, between = 3 * time.Microsecond, 3 * time.Microsecond
	var fired atomic.Uint64
	ended := make(chan struct{})
	numbers := randomNumbers{1}
	began := processorTime()
	first := time.Now().Add(time.Duration(count) * arming)
	for range count {
		due := first.Add(time.Duration(uint64(numbers.next())%count) * between)
		time.AfterFunc(time.Until(due), func() {
			if fired.Add(1) == count {
				close(ended)
			}
		})
	}
	<-ended
	return fired.Load(), processorTime() - began
}

func timerCancel(count uint64) (uint64, time.Duration) {
	numbers := randomNumbers{1}
	due := func() time.Duration { return time.Hour + time.Duration(numbers.next()%1_000_000)*time.Millisecond }
	others := make([]*time.Timer, 1_000_000)
	for index := range others {
		others[index] = time.AfterFunc(due(), func() {})
	}
	own := time.AfterFunc(due(), func() {})
	own.Stop()
	var cancelled uint64
	began := time.Now()
	for range count {
		own.Reset(due())
		if own.Stop() {
			cancelled++
		}
	}
	took := time.Since(began)
	for _, each := range others {
		each.Stop()
	}
	return cancelled, took
}

// inUse is the memory of objects and goroutines' stacks.
func inUse() uint64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc + now.StackInuse
}

func idleTask(s *session) {
	const count = 100_000
	between := make(chan uint64)
	var handled atomic.Uint64
	var ended sync.WaitGroup
	before := inUse()
	for range count {
		ended.Go(func() {
			<-between
			handled.Add(1)
		})
	}
	runtime.Gosched()
	s.bytes("idle_task", count, inUse()-before, "HeapAlloc+StackInuse")
	close(between)
	ended.Wait()
	s.expect("idle_task", count, handled.Load())
}

func main() {
	s := newSession()
	if s.wants("async", "alone") {
		runtime.GOMAXPROCS(1)
		idleTask(s) // first: the run time keeps the stacks of goroutines that have ended
		s.time("switch", 15, 100_000, switching)
		s.time("rendezvous", 15, 50_000, rendezvous)
		s.time("call bytes=4", 15, 20_000, calling(
			func(b *[1]uint32, word uint32) { b[0] = word }, func(b *[1]uint32) uint32 { return b[0] }))
		s.time("call bytes=64", 15, 20_000, calling(
			func(b *[16]uint32, word uint32) { b[0] = word }, func(b *[16]uint32) uint32 { return b[0] }))
		s.time("call bytes=256", 15, 20_000, calling(
			func(b *[64]uint32, word uint32) { b[0] = word }, func(b *[64]uint32) uint32 { return b[0] }))
		s.time("event types=predictable", 15, 50*batch, dispatching(false))
		s.time("event types=random", 15, 50*batch, dispatching(true))
		s.time("spawn", 15, 50_000, spawn)
		s.time("timer", 1, 1_000_000, timer, " by=processor_time")
		s.time("timer_cancel", 1, 1_000_000, timerCancel)
	}
	if s.wants("async", "threads") {
		for _, producers := range []uint64{1, 2, 4} {
			s.time(fmt.Sprintf("cross_thread producers=%d", producers), 15, 200_000, crossThread(producers))
		}
	}
	s.end()
}
