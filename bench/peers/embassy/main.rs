// SPDX-License-Identifier: MIT
#[path = "../common/peer.rs"]
mod peer;

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Barrier, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

use embassy_executor::Spawner;
use embassy_executor::raw::{self, TaskStorage};
use embassy_futures::yield_now;
use embassy_sync::blocking_mutex::raw::{CriticalSectionRawMutex, NoopRawMutex};
use embassy_sync::channel::Channel;
use peer::{BATCH, Events, Handlers, PRODUCERS, Session, timed};

/// The version in Cargo.lock; the lab's tests compare the two.
const VERSION: &str = "0.10.0";

type Local<T, const SLOTS: usize> = Channel<NoopRawMutex, T, SLOTS>;
type Shared<T, const SLOTS: usize> = Channel<CriticalSectionRawMutex, T, SLOTS>;

/// Makes a value that lives as long as the program, as a task's arguments have to.
fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The counts of the tasks, and the number of tasks that have ended.
#[derive(Default)]
struct Progress {
    count: AtomicU64,
    ended: AtomicU64,
}

impl Progress {
    fn add(&self) -> u64 {
        let count = self.count.load(Relaxed) + 1;
        self.count.store(count, Relaxed);
        count
    }

    fn end(&self) {
        self.ended.store(self.ended.load(Relaxed) + 1, Relaxed);
    }

    /// Lets the other tasks run until so many have ended.
    async fn wait(&self, tasks: u64) {
        while self.ended.load(Relaxed) < tasks {
            yield_now().await;
        }
    }
}

#[embassy_executor::task(pool_size = 2)]
async fn switcher(switches: &'static Progress, count: u64) {
    while switches.add() < count {
        yield_now().await;
    }
    switches.end();
}

/// The measuring task waits meanwhile on a channel, so that two tasks alternate.
#[embassy_executor::task]
async fn last_switcher(switches: &'static Progress, count: u64, ended: &'static Local<(), 1>) {
    while switches.add() < count {
        yield_now().await;
    }
    ended.send(()).await;
}

async fn switching(spawner: Spawner, count: u64) -> (u64, Duration) {
    let switches = leak(Progress::default());
    let ended = leak(Channel::new());
    let began = Instant::now();
    spawner.spawn(switcher(switches, count).unwrap());
    spawner.spawn(last_switcher(switches, count, ended).unwrap());
    ended.receive().await;
    switches.wait(1).await;
    (switches.count.load(Relaxed) - 1, began.elapsed()) // the second task raises it once more, to see that it is full
}

#[embassy_executor::task]
async fn writer(to: &'static Local<u64, 1>, count: u64) {
    for number in 0..count {
        to.send(number).await;
    }
}

async fn rendezvous(spawner: Spawner, count: u64) -> (u64, Duration) {
    let between = leak(Channel::new());
    let began = Instant::now();
    spawner.spawn(writer(between, count).unwrap());
    let mut received = 0;
    for number in 0..count {
        received += u64::from(between.receive().await == number);
    }
    (received, began.elapsed())
}

macro_rules! calling {
    ($name:ident, $server:ident, $bytes:literal) => {
        #[embassy_executor::task]
        async fn $server(from: &'static Local<[u8; $bytes], 1>, to: &'static Local<[u8; $bytes], 1>, count: u64) {
            for _ in 0..count {
                let mut message = from.receive().await;
                let word = peer::word(&message) + 1;
                peer::set_word(&mut message, word);
                to.send(message).await;
            }
        }

        async fn $name(spawner: Spawner, count: u64) -> (u64, Duration) {
            let (requests, replies) = (leak(Channel::new()), leak(Channel::new()));
            spawner.spawn($server(requests, replies, count).unwrap());
            let began = Instant::now();
            let mut handled = 0;
            let mut message = [0; $bytes];
            for number in 0..count {
                peer::set_word(&mut message, number as u32);
                requests.send(message).await;
                let answer = black_box(replies.receive().await);
                handled += u64::from(peer::word(&answer) == number as u32 + 1);
            }
            (handled, began.elapsed())
        }
    };
}

calling!(calling_4, server_4, 4);
calling!(calling_64, server_64, 64);
calling!(calling_256, server_256, 256);

fn event(queue: &Local<peer::Event, 4096>, count: u64, random: bool) -> (u64, Duration) {
    let mut events = Events::new(random);
    let mut handlers = Handlers::default();
    timed(|| {
        let mut pushed = 0;
        while pushed < count {
            let size = BATCH.min(count - pushed);
            for _ in 0..size {
                let _ = queue.try_send(events.next());
            }
            pushed += size;
            while let Ok(event) = queue.try_receive() {
                handlers.dispatch(&event);
            }
        }
        handlers.result()
    })
}

async fn cross_thread(queue: &'static Shared<peer::Event, 4096>, count: u64, producers: u64) -> (u64, Duration) {
    let go = leak(Barrier::new(producers as usize + 1));
    let threads: Vec<_> = (0..producers)
        .map(|index| {
            let share = count / producers + u64::from(index < count % producers);
            std::thread::spawn(move || {
                let mut events = Events::new(false);
                go.wait();
                for _ in 0..share {
                    let event = events.next();
                    while queue.try_send(event).is_err() {
                        std::thread::yield_now();
                    }
                }
            })
        })
        .collect();
    let mut handlers = Handlers::default();
    go.wait();
    let began = Instant::now();
    while handlers.handled != count {
        handlers.dispatch(&queue.receive().await);
    }
    let took = began.elapsed();
    for thread in threads {
        thread.join().unwrap();
    }
    (handlers.result(), took)
}

async fn nothing(progress: &'static Progress) {
    progress.end();
}

/// Storage for a thousand tasks. A pool of the macro `task` would be searched from its start for
/// each task.
fn storages<F: Future>(_: impl FnOnce() -> F) -> Vec<&'static TaskStorage<F>> {
    (0..1000).map(|_| leak(TaskStorage::new())).collect()
}

async fn spawn(spawner: Spawner, count: u64) -> (u64, Duration) {
    let progress = leak(Progress::default());
    let storages = storages(|| nothing(progress));
    let began = Instant::now();
    let mut spawned = 0;
    while spawned < count {
        for storage in &storages {
            spawner.spawn(storage.spawn(|| nothing(progress)).unwrap());
        }
        spawned += 1000;
        progress.wait(spawned).await;
    }
    (progress.ended.load(Relaxed), began.elapsed())
}

/// Waits until the channel has a value for it.
async fn idler(from: &'static Local<u64, 1>) {
    from.receive().await;
}

/// A task's storage has the size that the compiler gives it, and nothing is allocated for it at run
/// time.
fn idle_task(session: &Session) {
    fn bytes<F: Future + 'static>(_: impl FnOnce() -> F) -> u64 {
        size_of::<TaskStorage<F>>() as u64
    }
    session.bytes("idle_task", 1, bytes(|| idler(leak(Channel::new()))), "sizeof");
}

#[embassy_executor::task]
async fn measure(spawner: Spawner) {
    let mut session = Session::new("embassy", VERSION);
    // A task and its data are static, so a case is measured in this task, repeat by repeat.
    macro_rules! time {
        ($case:expr, $repeats:expr, $count:expr, $run:expr) => {{
            let run = $run;
            let mut results = vec![run($count / 10).await];
            for _ in 0..$repeats {
                yield_now().await;
                results.push(run($count).await);
            }
            let mut results = results.into_iter();
            session.time($case, $repeats, $count, |_| results.next().unwrap());
        }};
    }
    if session.alone("async") {
        time!("switch", 15, 200_000, async |count| switching(spawner, count).await);
        time!("rendezvous", 15, 100_000, async |count| rendezvous(spawner, count).await);
        time!("call bytes=4", 15, 50_000, async |count| calling_4(spawner, count).await);
        time!("call bytes=64", 15, 50_000, async |count| calling_64(spawner, count).await);
        time!("call bytes=256", 15, 50_000, async |count| calling_256(spawner, count).await);
        let queue: &Local<peer::Event, 4096> = leak(Channel::new());
        session.time("event types=predictable", 15, 50 * BATCH, |count| event(queue, count, false));
        session.time("event types=random", 15, 50 * BATCH, |count| event(queue, count, true));
        time!("spawn", 15, 50_000, async |count| spawn(spawner, count).await);
        idle_task(&session);
    }
    if session.threads("async") {
        let queue = leak(Channel::new());
        for producers in PRODUCERS {
            let case = format!("cross_thread producers={producers}");
            time!(&case, 15, 100_000, async |count| cross_thread(queue, count, producers).await);
        }
    }
    session.end();
}

thread_local! {
    /// In the executor's thread: true if it has been woken since it last looked for tasks.
    static WOKEN: Cell<Option<bool>> = const { Cell::new(None) };
}
static EXECUTOR: OnceLock<Thread> = OnceLock::new();

/// The executor calls this when a task is ready. Only another thread has to wake it.
#[unsafe(export_name = "__pender")]
fn pender(_: *mut ()) {
    if WOKEN.get().is_some() {
        WOKEN.set(Some(true));
    } else if let Some(thread) = EXECUTOR.get() {
        thread.unpark();
    }
}

fn main() {
    EXECUTOR.set(std::thread::current()).unwrap();
    WOKEN.set(Some(false));
    let executor = leak(raw::Executor::new(std::ptr::null_mut()));
    let spawner = executor.spawner();
    spawner.spawn(measure(spawner).unwrap());
    loop {
        WOKEN.set(Some(false));
        // SAFETY: only this thread polls, and never from within a task.
        unsafe { executor.poll() };
        if WOKEN.get() == Some(false) {
            std::thread::park();
        }
    }
}
