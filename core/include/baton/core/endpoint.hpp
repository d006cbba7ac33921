// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/value_traits.hpp>
#include <baton/core/wait.hpp>

namespace baton {

template <typename Request, typename Reply>
class endpoint;

/// A client's part of one call at a time: the request, the reply, and the way to the server's hold
/// on the client.
///
/// Shape    one pointer and the two values; a member of the client.
template <typename Request, typename Reply>
struct exchange {
  static_assert(
      BATON_IS_TRIVIALLY_DESTRUCTIBLE(Request) && BATON_IS_TRIVIALLY_DESTRUCTIBLE(Reply),
      "a Request or Reply must not have a destructor: a client that is destroyed while it is being served detaches "
      "itself through its exchange; send a pointer or an index instead");
  static_assert(spi::value_traits<Request>::is_copied && !spi::value_traits<Request>::copy_may_throw &&
                    spi::value_traits<Reply>::is_copied && !spi::value_traits<Reply>::copy_may_throw,
                "the copy of a Request or Reply must exist and be noexcept: it is made while its client is in no list");

  waiter** held_by = nullptr;  // first member: the wait protocol finds it without the types
  Request request{};
  Reply reply{};
};

namespace detail {

/// Lets a client that is being served go: the server's hold on it becomes empty, and the reply
/// comes too late. The link of a client in service is stale, and nobody follows it; here it becomes
/// null.
inline void detach_from_server(waiter& client) {
  client.next = nullptr;
  **static_cast<waiter***>(client.slot) = nullptr;
}

/// The part of a call that all endpoints share.
template <typename Endpoint>
struct call_wait : list_wait_of<Endpoint, wait_list::senders> {
  BATON_INLINE call_wait(Endpoint& e, void* exchange) : list_wait_of<Endpoint, wait_list::senders>{&e, exchange} {}

  /// As `list_wait::withdraw`. A call that is being served leaves its server too, and the server's
  /// reply then comes too late.
  static bool withdraw(waiter& w) {
    if (list_wait::withdraw(w)) return true;
    if (w.on != waiter::in_service) return false;
    detach_from_server(w);
    return true;
  }
};

}  // namespace detail

/// A request that a server has received, and the right to reply to it once.
///
/// Shape    the request, copied, and a pointer to the client. Not copyable; a member of the server.
/// Context  the destructor and `abandon()` end the wait of a client without a reply with
///          `peer_gone`.
template <typename Request, typename Reply>
class served {
 public:
  constexpr served() = default;
  served(const served&) = delete;
  served& operator=(const served&) = delete;
  ~served() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) abandon();
  }

  /// The request, valid after a receive.
  const Request& request() const { return request_; }

  /// True while a client waits for the reply.
  bool is_open() const { return client_ != nullptr; }

  /// Ends the client's wait with `peer_gone`, if it still waits.
  void abandon() {
    if (waiter* client = client_) {
      client_ = nullptr;
      wake(client, static_cast<uint8_t>(status::peer_gone));
    }
  }

 private:
  friend class endpoint<Request, Reply>;

  Request request_{};
  waiter* client_ = nullptr;
};

namespace ready {

/// The most direct hand-overs in a row: a call and its reply are two. The next call goes through
/// the tail of the queue, so that no ready job starves.
constexpr uint8_t most_hand_overs = 16;

BATON_INLINE bool may_hand_over() {
  uint8_t consecutive_handoffs = static_cast<uint8_t>(domain::consecutive_handoffs() + 1);
  if (BATON_UNLIKELY(consecutive_handoffs > most_hand_overs / 2)) {
    domain::consecutive_handoffs() = 0;
    return false;
  }
  domain::consecutive_handoffs() = consecutive_handoffs;
  return true;
}

/// As `hand_over`, through the tail of the queue: for the bound on hand-overs, and for a `from`
/// that was resumed directly.
BATON_NOINLINE inline void hand_over_through_queue(job* from, job* to) {
  push(to);
  leave(from);
}

/// The running job `from` waits, and `to` runs next, in the place of `from` in the ring. The
/// hand-over counts only where other jobs are ready.
/// Cost     no call on the usual path, so that nothing is saved on the stack.
BATON_INLINE void hand_over(job* from, job* to) {
  job* t = domain::tail();
  if (domain::has_strays() && !follows(t, from)) return hand_over_through_queue(from, to);
  if (BATON_UNLIKELY(t != from && !may_hand_over())) return hand_over_through_queue(from, to);
  trace(transition::ready, to);
  if (t == from) {
    to->next = to;
    domain::tail() = to;
  } else {
    to->next = from->next;
    t->next = to;
  }
}

}  // namespace ready

/// Typed send, receive and reply between any number of clients and servers of one domain.
///
/// Shape    one wait list, 3 bytes on AVR; requests and replies lie in the clients and servers.
/// Context  a call to a waiting server hands over directly: the server runs next, in the client's
///          place; a reply makes the client run next, directly after the server waits. After 16
///          hand-overs in a row a call goes through the tail of the ready queue. Otherwise clients,
///          and servers, are served first in, first out. A call that is cancelled or times out
///          while it is queued has not happened. If that occurs while the call is being served, the
///          client stops waiting and the server's reply returns `peer_gone`. A server that is
///          destroyed, restarted or ends while it holds a request (see `serving`) ends the client's
///          wait with `peer_gone`.
/// Cost     bench/suites/channel.cpp, case call.
/// Errors   `closed` after `close()`, for clients in the queue and for servers.
template <typename Request, typename Reply>
class endpoint : domain_affinity {
 public:
  struct call_operation;
  struct receive_operation;
  using exchange_type = exchange<Request, Reply>;
  using served_type = served<Request, Reply>;

  constexpr endpoint() = default;
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;
  /// As `close()`.
  ~endpoint() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(waiters_);
  }

  /// For BATON_WAIT and its forms: sends `x.request` and waits for `x.reply`.
  BATON_NODISCARD BATON_INLINE call_operation call(exchange_type& x) { return call_operation(*this, x); }

  /// For BATON_WAIT and its forms: waits for a request. `s` must not hold an unanswered request.
  BATON_NODISCARD BATON_INLINE receive_operation receive(served_type& s) { return receive_operation(*this, s); }

  /// Takes a request if a client waits.
  /// Errors   empty; closed.
  BATON_NODISCARD status try_receive(served_type& s) {
    this->check();
    BATON_REQUIRE(try_receive_before_reply, !s.client_);
    if (accept(s)) return status::ok;
    return waiters_.is_closed() ? status::closed : status::empty;
  }

  /// Replies; never waits. The caller goes on, and the client runs next.
  /// Errors   peer_gone: no client waits for this reply (no request, replied before, or the client
  ///          gave up).
  BATON_INLINE status reply(served_type& s, const Reply& value) {
    this->check();
    waiter* client = s.client_;
    if (!client) return status::peer_gone;
    client->end_unlisted(status::ok);
    static_cast<exchange_type*>(client->slot)->reply = value;
    ready::push_next(client);
    s.client_ = nullptr;
    return status::ok;
  }

  /// Ends every wait in the queue with `closed`, and every later one. A reply to a request that is
  /// being served is still possible.
  void close() {
    this->check();
    close_list(waiters_);
  }

  bool is_closed() const { return waiters_.is_closed(); }

 private:
  template <typename Primitive, uint8_t Who>
  friend struct list_wait_of;

  static BATON_INLINE void hand(exchange_type& x, waiter& client, served_type& s) {
    s.client_ = &client;
    s.request_ = x.request;
    x.held_by = &s.client_;
    client.on = waiter::in_service;
  }

  BATON_INLINE bool accept(served_type& s) {
    waiter* client = waiters_.take(wait_list::senders);
    if (!client) return false;
    hand(*static_cast<exchange_type*>(client->slot), *client, s);
    return true;
  }

  wait_list waiters_;
};

template <typename Request, typename Reply>
struct endpoint<Request, Reply>::call_operation : detail::call_wait<endpoint> {
  BATON_INLINE call_operation(endpoint& e, exchange_type& x) : detail::call_wait<endpoint>(e, &x) {}

  static constexpr bool selectable = false;

  BATON_INLINE bool try_now(waiter&) const {
    this->of->check();
    return false;
  }

  BATON_INLINE void suspend(waiter& w) const {
    wait_list* const list = this->list();
    waiter* server = list->take(wait_list::receivers);
    if (!server) {
      wait_in(&w, list, wait_list::senders, this->slot);
      return;
    }
    w.slot = this->slot;
    server->end(status::ok);
    hand(*static_cast<exchange_type*>(this->slot), w, *static_cast<served_type*>(server->slot));
    trace(transition::wait, &w, list);
    ready::hand_over(&w, server);
  }
};

template <typename Request, typename Reply>
struct endpoint<Request, Reply>::receive_operation : list_wait_of<endpoint, wait_list::receivers> {
  using base = list_wait_of<endpoint, wait_list::receivers>;
  BATON_INLINE receive_operation(endpoint& e, served_type& s) : base{&e, &s} {}

  BATON_INLINE bool try_now(waiter& w) const {
    this->of->check();
    BATON_REQUIRE(receive_before_reply, !static_cast<served_type*>(this->slot)->client_);
    if (!this->of->accept(*static_cast<served_type*>(this->slot))) return false;
    w.end(status::ok);
    return true;
  }
};

}  // namespace baton
