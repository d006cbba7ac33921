// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/hand_over.hpp>
#include <baton/core/spi/value_traits.hpp>
#include <baton/core/wait.hpp>

namespace baton {

template <typename Request, typename Reply>
class endpoint;

/// A client's part of one call at a time: the request, the reply, and the way to the server's hold
/// on the client.
///
/// Shape    one pointer and the two values; a member of the client. A value that can be copied is
///          copied, and any other is moved. Both types need a default constructor. Values with a
///          destructor are for clients that are C++20 coroutines: they leave the server before
///          their values are destroyed.
template <typename Request, typename Reply>
struct exchange {
  static_assert(sizeof(spi::channel_value<Request>) != 0 && sizeof(spi::channel_value<Reply>) != 0,
                "the values of a call are sent");
  static constexpr bool has_no_destructor =
      BATON_IS_TRIVIALLY_DESTRUCTIBLE(Request) && BATON_IS_TRIVIALLY_DESTRUCTIBLE(Reply);

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
/// Errors   `closed` after `close()`, for clients in the queue and for servers. If the copy of a
///          request throws, the side that hands over gets the exception, and the other side waits
///          on; if that of a reply throws, the server gets it, and the client waits on. A type
///          whose move may throw does not compile.
template <typename Request, typename Reply>
class endpoint : domain_affinity {
  using requests = spi::value_traits<Request>;

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
  BATON_INLINE status reply(served_type& s, spi::sent<Reply> value) {
    this->check();
    waiter* client = s.client_;
    if (!client) return status::peer_gone;
    static_cast<exchange_type*>(client->slot)->reply = static_cast<spi::sent<Reply>>(value);  // it may throw
    client->end_unlisted(status::ok);
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

  template <typename From>
  static BATON_INLINE void hand(exchange_type& x, From&& request, waiter& client, served_type& s) {
    s.client_ = &client;
    s.request_ = static_cast<From&&>(request);
    x.held_by = &s.client_;
    client.on = waiter::in_service;
  }

  BATON_INLINE bool accept(served_type& s) {
    if (requests::copy_may_throw) return accept_copy(s);
    waiter* client = waiters_.take(wait_list::senders);
    if (!client) return false;
    exchange_type& x = *static_cast<exchange_type*>(client->slot);
    hand(x, static_cast<spi::sent<Request>>(x.request), *client, s);
    return true;
  }

  /// As `accept`, for a request whose copy may throw: it is made before the client leaves the list.
  bool accept_copy(served_type& s) {
    if (!waiters_.holds(wait_list::senders)) return false;
    exchange_type& x = *static_cast<exchange_type*>(waiters_.oldest()->slot);
    Request copy(static_cast<spi::sent<Request>>(x.request));
    hand(x, static_cast<Request&&>(copy), *waiters_.pop(), s);
    return true;
  }

  wait_list waiters_;
};

template <typename Request, typename Reply>
struct BATON_NODISCARD_TYPE endpoint<Request, Reply>::call_operation : detail::call_wait<endpoint> {
  BATON_INLINE call_operation(endpoint& e, exchange_type& x) : detail::call_wait<endpoint>(e, &x) {}

  static constexpr bool selectable = false;
  static constexpr bool may_throw = requests::copy_may_throw;

  template <typename Waiter>
  BATON_INLINE bool try_now(Waiter&) const {
    static_assert(exchange_type::has_no_destructor || Waiter::leaves_before_its_values,
                  "a Request or Reply with a destructor is for clients that are C++20 coroutines: a stackless client "
                  "that is destroyed leaves its server after its members; send a pointer or an index instead");
    this->of->check();
    return false;
  }

  BATON_INLINE void suspend(waiter& w) const {
    exchange_type& x = *static_cast<exchange_type*>(this->slot);
    if (requests::copy_may_throw) {
      if (!this->list()->holds(wait_list::receivers)) return wait(w);
      Request copy(static_cast<spi::sent<Request>>(x.request));  // before a server leaves the list
      call_or_wait(w, x, static_cast<Request&&>(copy));
    } else {
      call_or_wait(w, x, static_cast<spi::sent<Request>>(x.request));
    }
  }

 private:
  BATON_INLINE void wait(waiter& w) const { wait_in(&w, this->list(), wait_list::senders, this->slot); }

  /// Hands the request to the server that has waited longest, or waits for one.
  template <typename From>
  BATON_INLINE void call_or_wait(waiter& w, exchange_type& x, From&& request) const {
    waiter* server = this->list()->take(wait_list::receivers);
    if (!server) return wait(w);
    w.slot = this->slot;
    server->end(status::ok);
    hand(x, static_cast<From&&>(request), w, *static_cast<served_type*>(server->slot));
    trace(transition::wait, &w, this->list());
    ready::hand_over(&w, server);
  }
};

template <typename Request, typename Reply>
struct BATON_NODISCARD_TYPE endpoint<Request, Reply>::receive_operation : list_wait_of<endpoint, wait_list::receivers> {
  using base = list_wait_of<endpoint, wait_list::receivers>;
  BATON_INLINE receive_operation(endpoint& e, served_type& s) : base{&e, &s} {}

  static constexpr bool may_throw = requests::copy_may_throw;

  BATON_INLINE bool try_now(waiter& w) const {
    this->of->check();
    BATON_REQUIRE(receive_before_reply, !static_cast<served_type*>(this->slot)->client_);
    if (!this->of->accept(*static_cast<served_type*>(this->slot))) return false;
    w.end(status::ok);
    return true;
  }
};

}  // namespace baton
