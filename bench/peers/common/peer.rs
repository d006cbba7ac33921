// SPDX-License-Identifier: MIT
//! The common parts of the peers in Rust: one case at a time, timed, counted, and printed as a
//! bench record.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The numbers of threads that push in `cross_thread`.
pub const PRODUCERS: [u64; 3] = [1, 2, 4];
/// The number of events that are pushed before any is handled.
pub const BATCH: u64 = 4096;

/// The pseudo-random numbers that all peers draw from.
pub struct RandomNumbers(u32);

impl RandomNumbers {
    pub fn new() -> Self {
        Self(1)
    }

    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        self.0 >> 8
    }
}

/// An event of 16 bytes: its type, its target and its values.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Event {
    kind: u16,
    target: u16,
    number: u32,
    value: u64,
}

/// The events of one producer, with types in turn or at random.
pub struct Events {
    random: bool,
    count: u32,
    numbers: RandomNumbers,
}

impl Events {
    pub fn new(random: bool) -> Self {
        Self { random, count: 0, numbers: RandomNumbers::new() }
    }

    pub fn next(&mut self) -> Event {
        self.count = self.count.wrapping_add(1);
        let number = if self.random { self.numbers.next() >> 8 } else { self.count };
        Event { kind: (number % 4) as u16, target: 0, number, value: u64::from(self.count) }
    }
}

/// A handler for each of the four types.
#[derive(Default)]
pub struct Handlers {
    sums: [u64; 4],
    pub handled: u64,
}

impl Handlers {
    pub fn dispatch(&mut self, event: &Event) {
        match event.kind {
            0 => self.sums[0] = self.sums[0].wrapping_add(u64::from(event.number)),
            1 => self.sums[1] ^= event.value,
            2 => self.sums[2] = self.sums[2].wrapping_add(event.value + 1),
            _ => self.sums[3] = self.sums[3].wrapping_sub(u64::from(event.number) + u64::from(event.target)),
        }
        self.handled += 1;
    }

    /// The count, after the compiler had to keep the sums that led to it.
    pub fn result(&self) -> u64 {
        black_box(&self.sums);
        self.handled
    }
}

/// The first word of a message.
pub fn word<const BYTES: usize>(message: &[u8; BYTES]) -> u32 {
    u32::from_ne_bytes(message[..4].try_into().unwrap())
}

pub fn set_word<const BYTES: usize>(message: &mut [u8; BYTES], word: u32) {
    message[..4].copy_from_slice(&word.to_ne_bytes());
}

/// The cases of a peer.
pub struct Session {
    suite: String,
    group: String,
    peer: &'static str,
    version: &'static str,
    failed: bool,
}

impl Session {
    pub fn new(peer: &'static str, version: &'static str) -> Self {
        let words: Vec<String> = std::env::args().collect();
        if words.len() != 3 || !["alone", "threads"].contains(&words[2].as_str()) {
            eprintln!("{}: call it with a suite, and alone or threads", words[0]);
            std::process::exit(2);
        }
        Self { suite: words[1].clone(), group: words[2].clone(), peer, version, failed: false }
    }

    pub fn alone(&self, suite: &str) -> bool {
        self.suite == suite && self.group == "alone"
    }

    pub fn threads(&self, suite: &str) -> bool {
        self.suite == suite && self.group == "threads"
    }

    /// Measures `run`, which does the work so many times, and returns the number of times and the
    /// duration. A tenth of it comes first, unmeasured; the value is the median of the repeats. A run
    /// with a wrong count has no record.
    pub fn time(&mut self, case: &str, repeats: usize, count: u64, mut run: impl FnMut(u64) -> (u64, Duration)) {
        let handled = run(count / 10).0;
        if !self.expect(case, count / 10, handled) {
            return;
        }
        let mut each = Vec::new();
        for _ in 0..repeats {
            let (handled, took) = run(count);
            if !self.expect(case, count, handled) {
                return;
            }
            each.push(took.as_nanos() as f64 / count as f64);
        }
        each.sort_by(f64::total_cmp);
        let (median, min, max) = (each[each.len() / 2], each[0], each[each.len() - 1]);
        let start = self.start(case, "ns", median, count);
        println!("{start} repeats={repeats} min={min:.3} max={max:.3} pushed={count} handled={count}");
    }

    /// Prints the bytes of one of `count` things; `how` names the counter.
    pub fn bytes(&self, case: &str, count: u64, total: u64, how: &str) {
        println!("{} by={how}", self.start(case, "bytes", total as f64 / count as f64, count));
    }

    /// Returns whether `handled` is `pushed`. If it is not, says so and makes the program end with 1.
    pub fn expect(&mut self, case: &str, pushed: u64, handled: u64) -> bool {
        if pushed != handled {
            eprintln!("{}: {case}: handled {handled} of {pushed}", self.peer);
            self.failed = true;
        }
        pushed == handled
    }

    pub fn end(&self) -> ! {
        std::process::exit(i32::from(self.failed))
    }

    fn start(&self, case: &str, unit: &str, value: f64, iterations: u64) -> String {
        let Self { suite, peer, version, .. } = self;
        format!(
            "baton-bench/1 suite={suite} case={case} board=host unit={unit} iterations={iterations} \
             value={value:.3} valid=measured peer={peer} peer_version={version}"
        )
    }
}

/// The result of `work`, and its duration.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let result = work();
    (result, began.elapsed())
}
