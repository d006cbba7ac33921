// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/mailbox.hpp>
#include <baton/async/spi/give_way.hpp>
#include <baton/core/attributes.hpp>
#include <baton/service/posted_event.hpp>
#include <new>
#include <type_traits>
#include <utility>

/// A lane: the way of the events of one thread to one worker.
///
/// The sender writes an event behind the last one and publishes it by a store of its header's first
/// word. The receiver looks there. A receiver that has events of a lane looks at it again and again
/// for a while, and then leaves it. The sender that finds the lane left announces it, by a message
/// to the worker's loop, which wakes the loop. So an event costs a compare-and-swap only if it is
/// the first after a pause.
///
/// No event is overlooked: the sender publishes and then reads whether the lane is watched; the
/// receiver marks it `unwatched` and then looks once more. Both do so in the single total order of
/// sequentially consistent operations, so that at least one sees what the other wrote. That makes a
/// publication an exchange, of a word that no other sender writes.
///
/// Do not change alone:
///   - The word behind an event is cleared before the event is published: the receiver stops there.
///   - An event that the sender has published is the receiver's, until the lane is closed. Then
///     `end_` says which events the receiver has taken; the others stay the sender's.
///   - Only the sender links and frees chunks, and only those in front of `reading_`.
namespace baton::BATON_VARIANT::service::detail {

/// A queue from one thread, the sender, to one worker, the receiver.
///
/// Shape    chunks of 4 KiB, which the sender uses again when they were read. It has two owners,
///          sender and receiver, and lives as long as one of them.
/// Context  one thread each for the functions of the two sides.
class event_lane {
 public:
  /// Errors   std::bad_alloc.
  event_lane(event_mailbox& to, uint64_t id, const async::loop_handle& loop, uint64_t at_most)
      : receiver(to), mailbox_id(id), oldest_(new chunk), at_most_(at_most), node_(&arrive, this), loop_(loop) {
    write_to(oldest_);
    read_ = oldest_->first();
    reading_.store(oldest_, std::memory_order_relaxed);
  }
  event_lane(const event_lane&) = delete;
  event_lane& operator=(const event_lane&) = delete;

  void forget() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  /// ---- The sender ----

  /// Errors   full: too many events are on their way. closed: the worker has ended.
  ///          std::bad_alloc: nothing has happened.
  template <typename Event>
  status post(Event&& event, priority p) {
    constexpr uint32_t bytes = type<Event>.bytes;
    static_assert(bytes <= chunk::bytes);
    if (BATON_UNLIKELY(written_ - seen_ >= at_most_) && !has_room()) return is_closed() ? status::closed : status::full;
    if (BATON_UNLIKELY(static_cast<size_t>(room_to_ - reinterpret_cast<std::byte*>(at_)) < bytes)) add_chunk();
    if (BATON_UNLIKELY(!(levels_.load(std::memory_order_relaxed) & level_bit(p)))) note_level(p);
    posted_event* const e = at_;
    ::new (e->event()) Event(std::forward<Event>(event));
    at_ = e->behind(type<Event>);
    ::new (at_) posted_event{0};
    ++written_;
    return publish(*e, posted_event::word_of(type<Event>, p));
  }

  /// Ends the sender's part: the receiver frees the lane when it has taken its events.
  void leave() noexcept {
    is_left_.store(true, std::memory_order_seq_cst);
    if (state_.load(std::memory_order_seq_cst) == state::unwatched) static_cast<void>(announce());
    forget();
  }

  bool is_closed() const noexcept { return state_.load(std::memory_order_acquire) == state::closed; }

  /// ---- The receiver ----

  /// Takes up to `at_most` events, as long as `use(event, type)` uses them up. Returns the number.
  /// An event that is being used is not on its way any more.
  template <typename Use>
  BATON_INLINE uint32_t take(uint32_t at_most, Use use) {
    uint32_t taken = 0;
    while (taken != at_most) {
      posted_event& e = *read_;
      const posted_type* const t = e.type(std::memory_order_acquire);
      if (!t) break;
      if (BATON_UNLIKELY(t == &goes_on_in_next)) {
        begin_next();
        continue;
      }
      completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
      if (BATON_UNLIKELY(!use(e, *t))) {
        completed_.store(completed_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
        break;
      }
      read_ = e.behind(*t);
      ++taken;
    }
    return taken;
  }

  /// The priorities of all events that were posted so far, a bit for each.
  uint32_t levels() const noexcept { return levels_.load(std::memory_order_acquire); }

  bool has_any() const noexcept { return read_->word.load(std::memory_order_relaxed) != 0; }

  /// Leaves the lane until the sender announces it. false: an event has come, and the receiver has
  /// to go on.
  bool stop_watching() noexcept {
    state_.store(state::unwatched, std::memory_order_seq_cst);
    if (read_->word.load(std::memory_order_seq_cst) == 0 && !is_left_.load(std::memory_order_seq_cst)) return true;
    state expected = state::unwatched;
    return !state_.compare_exchange_strong(expected, state::watched, std::memory_order_seq_cst);
  }

  /// True if the sender has left, and the receiver has taken all of its events.
  bool is_over() const noexcept { return is_left_.load(std::memory_order_acquire) && !has_any(); }

  /// Closes the lane. Returns the number of its events, which are to be taken.
  uint64_t close() noexcept {
    if (state_.exchange(state::closed, std::memory_order_seq_cst) == state::closed) return 0;
    uint64_t waiting = 0;
    chunk* c = reading_.load(std::memory_order_relaxed);
    posted_event* e = read_;
    while (const posted_type* const t = e->type(std::memory_order_seq_cst)) {
      if (t == &goes_on_in_next) {
        c = c->next;
        e = c->first();
      } else {
        ++waiting;
        e = e->behind(*t);
      }
    }
    end_.store(completed_.load(std::memory_order_relaxed) + waiting, std::memory_order_release);
    return waiting;
  }

  event_mailbox& receiver;
  const uint64_t mailbox_id;
  event_lane* next_of_thread = nullptr;  // the sender's
  event_lane* next_watched = nullptr;    // the receiver's
  event_lane* next = nullptr;            // of all lanes to the worker, under the lock of the mailbox
  event_lane* before = nullptr;

 private:
  enum class state : uint8_t { unwatched, watched, closed };
  static constexpr uint64_t open = ~uint64_t{0};
  static constexpr uint32_t most_spare = 32;

  struct chunk {
    static constexpr size_t size = 4096 - 2 * sizeof(void*);  // with the allocator's word a page
    static constexpr size_t bytes = size - 2 * sizeof(void*) - sizeof(posted_event);

    posted_event* first() noexcept { return reinterpret_cast<posted_event*>(memory); }
    void clear() noexcept { ::new (memory) posted_event{0}; }

    chunk* next = nullptr;
    uint32_t number = 0;                                        // in the order of the lane
    alignas(8) std::byte memory[bytes + sizeof(posted_event)];  // the last header leads to the next chunk
  };

  ~event_lane() {
    while (oldest_) delete std::exchange(oldest_, oldest_->next);
  }

  template <typename Event>
  static bool into_queue(posted_event& e, event_mailbox& to);
  template <typename Event>
  static void destroy(posted_event& e) noexcept {
    static_cast<Event*>(e.event())->~Event();
  }
  template <typename Event>
  static constexpr posted_type type{&into_queue<Event>, &destroy<Event>, &id_of_event<Event>,
                                    sizeof(posted_event) + (std::is_empty_v<Event> ? 0 : (sizeof(Event) + 7) / 8 * 8)};
  static void arrive(void* self);

  status publish(posted_event& e, uintptr_t word) noexcept {
    e.word.store(word, std::memory_order_seq_cst);
    const state s = state_.load(std::memory_order_seq_cst);
    if (BATON_LIKELY(s == state::watched)) return status::ok;
    if (s == state::unwatched && announce()) return status::ok;
    return is_taken(e) ? status::ok : status::closed;
  }

  /// Tells the receiver to look at the lane. false: it is closed.
  BATON_NOINLINE bool announce() noexcept {
    state expected = state::unwatched;
    if (!state_.compare_exchange_strong(expected, state::watched, std::memory_order_seq_cst))
      return expected != state::closed;
    if (loop_.mailbox().post(node_)) return true;
    // The loop has ended, and nobody looks at the lane any more: the sender closes it, or the
    // worker does so at this moment.
    expected = state::watched;
    if (state_.compare_exchange_strong(expected, state::closed, std::memory_order_seq_cst))
      end_.store(completed_.load(std::memory_order_acquire), std::memory_order_release);
    return false;
  }

  /// Tells whether the receiver has taken the newest event of a closed lane; destroys it if not.
  BATON_NOINLINE bool is_taken(posted_event& newest) noexcept {
    uint64_t end;
    while ((end = end_.load(std::memory_order_acquire)) == open) async::spi::give_way();
    if (written_ <= end) return true;
    newest.type(std::memory_order_relaxed)->destroy(newest);
    at_ = &newest;
    --written_;
    return false;
  }

  static constexpr uint32_t level_bit(priority p) noexcept { return 1u << static_cast<unsigned>(p); }
  BATON_NOINLINE void note_level(priority p) noexcept {
    levels_.store(levels_.load(std::memory_order_relaxed) | level_bit(p), std::memory_order_release);
  }

  BATON_NOINLINE bool has_room() noexcept {
    seen_ = completed_.load(std::memory_order_acquire);
    return written_ - seen_ < at_most_;
  }

  void write_to(chunk* c) noexcept {
    c->next = nullptr;
    c->clear();
    newest_ = c;
    at_ = c->first();
    room_to_ = c->memory + chunk::bytes;
  }

  /// Goes on in a chunk that was read, or in a new one. Some of the chunks that were read are kept.
  BATON_NOINLINE void add_chunk() {
    chunk* const reading = reading_.load(std::memory_order_acquire);
    chunk* c = oldest_;
    if (c != reading) {
      oldest_ = c->next;
      if (reading->number - oldest_->number > most_spare) delete std::exchange(oldest_, oldest_->next);
    } else {
      c = new chunk;
    }
    chunk* const full = newest_;
    posted_event* const last = at_;
    c->number = full->number + 1;
    write_to(c);
    full->next = c;
    last->word.store(posted_event::word_of(goes_on_in_next, priority::highest), std::memory_order_release);
  }
  void begin_next() noexcept {
    chunk* const c = reading_.load(std::memory_order_relaxed)->next;
    read_ = c->first();
    reading_.store(c, std::memory_order_release);
  }

  // The sender's.
  posted_event* at_ = nullptr;
  std::byte* room_to_ = nullptr;
  uint64_t written_ = 0;
  uint64_t seen_ = 0;  // `completed_` when the sender last looked
  chunk* oldest_;
  chunk* newest_ = nullptr;
  const uint64_t at_most_;

  // Written seldom.
  [[maybe_unused]] alignas(8) std::byte apart_[64];
  std::atomic<state> state_{state::unwatched};
  std::atomic<bool> is_left_{false};
  std::atomic<uint32_t> levels_{0};
  std::atomic<uint8_t> owners_{2};
  async::message_node node_;
  const async::loop_handle loop_;
  std::atomic<uint64_t> end_{open};  // the number of events that the receiver of a closed lane takes in all

  // The receiver's.
  [[maybe_unused]] alignas(8) std::byte apart_too_[64];
  posted_event* read_ = nullptr;
  std::atomic<chunk*> reading_{nullptr};
  std::atomic<uint64_t> completed_{0};
};

}  // namespace baton::BATON_VARIANT::service::detail
