// SPDX-License-Identifier: MIT
#[path = "../common/peer.rs"]
mod peer;

use std::future::poll_fn;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use peer::{BATCH, Events, Handlers, PRODUCERS, RandomNumbers, Session, timed};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, mpsc};
use tokio::task::yield_now;
use tokio_util::time::DelayQueue;

/// The version in Cargo.lock; the lab's tests compare the two.
const VERSION: &str = "1.54.1";
/// Timers are due at random within this time.
const TIMERS_DUE_US: u32 = 100_000;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

fn switching(count: u64) -> (u64, Duration) {
    let runtime = runtime();
    let switches = Arc::new(AtomicU64::new(0));
    let tasks = [(); 2].map(|()| {
        let switches = switches.clone();
        runtime.spawn(async move {
            loop {
                let so_far = switches.load(Relaxed) + 1;
                switches.store(so_far, Relaxed);
                if so_far >= count {
                    return;
                }
                yield_now().await;
            }
        })
    });
    let ((), took) = timed(|| {
        runtime.block_on(async {
            for task in tasks {
                task.await.unwrap();
            }
        });
    });
    (switches.load(Relaxed) - 1, took) // the second task raises the counter once more, to see that it is full
}

fn rendezvous(count: u64) -> (u64, Duration) {
    let runtime = runtime();
    let (sender, mut receiver) = mpsc::channel::<u64>(1);
    runtime.spawn(async move {
        for number in 0..count {
            sender.send(number).await.unwrap();
        }
    });
    let reader = runtime.spawn(async move {
        let mut received = 0;
        while let Some(number) = receiver.recv().await {
            received += u64::from(number == received);
        }
        received
    });
    timed(|| runtime.block_on(reader).unwrap())
}

fn calling<const BYTES: usize>(count: u64) -> (u64, Duration) {
    let runtime = runtime();
    let (request, mut requests) = mpsc::channel::<[u8; BYTES]>(1);
    let (reply, mut replies) = mpsc::channel::<[u8; BYTES]>(1);
    runtime.spawn(async move {
        while let Some(mut message) = requests.recv().await {
            let word = peer::word(&message) + 1;
            peer::set_word(&mut message, word);
            reply.send(message).await.unwrap();
        }
    });
    let client = runtime.spawn(async move {
        let mut handled = 0;
        let mut message = [0; BYTES];
        for number in 0..count {
            peer::set_word(&mut message, number as u32);
            request.send(message).await.unwrap();
            let answer = black_box(replies.recv().await.unwrap());
            handled += u64::from(peer::word(&answer) == number as u32 + 1);
        }
        handled
    });
    timed(|| runtime.block_on(client).unwrap())
}

fn event(count: u64, random: bool) -> (u64, Duration) {
    let runtime = runtime();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let mut events = Events::new(random);
    let mut handlers = Handlers::default();
    let mut taken = Vec::with_capacity(BATCH as usize);
    timed(|| {
        runtime.block_on(async {
            let mut pushed = 0;
            while pushed < count {
                let size = BATCH.min(count - pushed);
                for _ in 0..size {
                    sender.send(events.next()).unwrap();
                }
                pushed += size;
                while handlers.handled != pushed {
                    receiver.recv_many(&mut taken, BATCH as usize).await;
                    for event in taken.drain(..) {
                        handlers.dispatch(&event);
                    }
                }
            }
        });
        handlers.result()
    })
}

fn cross_thread(count: u64, producers: u64) -> (u64, Duration) {
    let runtime = runtime();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let go = Arc::new(Barrier::new(producers as usize + 1));
    let threads: Vec<_> = (0..producers)
        .map(|index| {
            let (sender, go) = (sender.clone(), go.clone());
            let share = count / producers + u64::from(index < count % producers);
            std::thread::spawn(move || {
                let mut events = Events::new(false);
                go.wait();
                for _ in 0..share {
                    sender.send(events.next()).unwrap();
                }
            })
        })
        .collect();
    drop(sender);
    let mut handlers = Handlers::default();
    let mut taken = Vec::with_capacity(BATCH as usize);
    let result = timed(|| {
        go.wait();
        runtime.block_on(async {
            while receiver.recv_many(&mut taken, BATCH as usize).await != 0 {
                for event in taken.drain(..) {
                    handlers.dispatch(&event);
                }
            }
        });
        handlers.result()
    });
    for thread in threads {
        thread.join().unwrap();
    }
    result
}

fn spawn(count: u64) -> (u64, Duration) {
    let runtime = runtime();
    let mut tasks = Vec::with_capacity(1000);
    timed(|| {
        runtime.block_on(async {
            let mut ended = 0;
            while ended < count {
                tasks.extend((0..1000).map(|_| tokio::spawn(async {})));
                for task in tasks.drain(..) {
                    task.await.unwrap();
                    ended += 1;
                }
            }
            ended
        })
    })
}

fn timer(count: u64) -> (u64, Duration) {
    runtime().block_on(async {
        let mut timers = DelayQueue::with_capacity(count as usize);
        let mut numbers = RandomNumbers::new();
        let from = tokio::time::Instant::now();
        let ((), armed) = timed(|| {
            for number in 0..count {
                let due = Duration::from_micros(u64::from(numbers.next() % TIMERS_DUE_US));
                timers.insert_at(number, from + due);
            }
        });
        let all_due = from.into_std() + Duration::from_micros(u64::from(TIMERS_DUE_US) + 1000);
        std::thread::sleep(all_due.saturating_duration_since(Instant::now()));
        let began = Instant::now();
        let mut fired = 0;
        while let Some(expired) = poll_fn(|context| timers.poll_expired(context)).await {
            black_box(expired.into_inner());
            fired += 1;
        }
        (fired, armed + began.elapsed())
    })
}

fn timer_cancel(count: u64) -> (u64, Duration) {
    const HOUR: Duration = Duration::from_secs(3600);
    runtime().block_on(async {
        let mut timers = DelayQueue::new();
        let mut numbers = RandomNumbers::new();
        let mut random = || HOUR + Duration::from_millis(u64::from(numbers.next() % 1_000_000));
        for number in 0..1_000_000 {
            timers.insert(number, random());
        }
        timed(|| {
            let mut cancelled = 0;
            for number in 0..count {
                let key = timers.insert(number, random());
                cancelled += u64::from(timers.remove(&key).into_inner() == number);
            }
            cancelled
        })
    })
}

/// The bytes that malloc has given out and not taken back, its own headers included.
fn allocated_bytes() -> u64 {
    // SAFETY: it only reads the allocator's counters.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as u64
}

fn idle_task(session: &mut Session) {
    const COUNT: u64 = 100_000;
    let runtime = runtime();
    let notify = Arc::new(Notify::new());
    let ended = Arc::new(AtomicU64::new(0));
    let before = allocated_bytes();
    for _ in 0..COUNT {
        let (notify, ended) = (notify.clone(), ended.clone());
        drop(runtime.spawn(async move {
            notify.notified().await;
            ended.fetch_add(1, Relaxed);
        }));
    }
    let settle = async || {
        for _ in 0..COUNT / 16 {
            yield_now().await;
        }
    };
    runtime.block_on(settle());
    session.bytes("idle_task", COUNT, allocated_bytes() - before, "mallinfo2");
    notify.notify_waiters();
    runtime.block_on(settle());
    session.expect("idle_task", COUNT, ended.load(Relaxed));
}

fn main() {
    let mut session = Session::new("tokio", VERSION);
    if session.alone("async") {
        session.time("switch", 15, 100_000, switching);
        session.time("rendezvous", 15, 40_000, rendezvous);
        session.time("call bytes=4", 15, 20_000, calling::<4>);
        session.time("call bytes=64", 15, 20_000, calling::<64>);
        session.time("call bytes=256", 15, 20_000, calling::<256>);
        session.time("event types=predictable", 15, 50 * BATCH, |count| event(count, false));
        session.time("event types=random", 15, 50 * BATCH, |count| event(count, true));
        session.time("spawn", 15, 20_000, spawn);
        session.time("timer", 1, 1_000_000, timer);
        session.time("timer_cancel", 1, 1_000_000, timer_cancel);
        idle_task(&mut session);
    }
    if session.threads("async") {
        for producers in PRODUCERS {
            let case = format!("cross_thread producers={producers}");
            session.time(&case, 15, 200_000, |count| cross_thread(count, producers));
        }
    }
    session.end();
}
