// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>

#if __has_include(<mutex>)
namespace baton::BATON_VARIANT::async {

template <typename Request, typename Reply>
class cross_loop_endpoint;

/// A request that a server has received, and the right to reply to it once: core's `served`, across
/// loops.
///
/// Context  its destruction without a reply, or `abandon`, ends the client's wait with `peer_gone`.
///          The endpoint outlives it.
template <typename Request, typename Reply>
class cross_loop_served {
 public:
  cross_loop_served() = default;
  cross_loop_served(const cross_loop_served&) = delete;
  cross_loop_served& operator=(const cross_loop_served&) = delete;
  ~cross_loop_served() { abandon(); }

  const Request& request() const { return request_; }

  /// Ends the client's wait with `peer_gone`, if the client still waits.
  void abandon() {
    if (from_) from_->refuse(*this);
  }

 private:
  friend class cross_loop_endpoint<Request, Reply>;

  Request request_{};
  detail::cross_loop_wait* client_ = nullptr;  // under the endpoint's lock
  cross_loop_endpoint<Request, Reply>* from_ = nullptr;
};

/// Typed send, receive and reply between any number of clients and servers of any number of loops.
///
/// Shape    two lists and a lock. Requests and replies are in the clients (`exchange`) and the
///          servers (`cross_loop_served`).
/// Context  coroutines of any loop; the holder of a request calls `reply`. A coroutine goes on in
///          its own loop, at the tail of the queue there: across loops there is no direct
///          hand-over. A call that is cancelled or times out while it is queued has not happened.
///          If that happens while the call is being served, the client stops waiting, and the
///          server's reply returns `peer_gone`. The endpoint outlives the waits for it, and the
///          requests that were received from it.
/// Cost     a lock per operation, and a message node per coroutine that waited.
/// Errors   closed: after `close()`, for queued calls and receives. BATON_REQUIRE
///          cross_loop_wait_without_loop: a thread without a loop waits.
///          cross_loop_endpoint_in_use: the endpoint is destroyed while a coroutine waits.
///          cross_loop_receive_before_reply: a server receives into an object that holds an
///          unanswered request.
template <typename Request, typename Reply>
class cross_loop_endpoint {
  template <typename T>
  static constexpr bool has_safe_copy = BATON_IS_TRIVIALLY_DESTRUCTIBLE(T) && baton::spi::value_traits<T>::is_copied &&
                                        !baton::spi::value_traits<T>::copy_may_throw;
  static_assert(has_safe_copy<Request> && has_safe_copy<Reply>,
                "a Request or Reply between loops must have no destructor, and its copy must exist and be noexcept; "
                "send a pointer or an index instead");

 public:
  struct call_operation;
  struct receive_operation;
  using exchange_type = exchange<Request, Reply>;
  using served_type = cross_loop_served<Request, Reply>;

  cross_loop_endpoint() = default;
  cross_loop_endpoint(const cross_loop_endpoint&) = delete;
  cross_loop_endpoint& operator=(const cross_loop_endpoint&) = delete;
  ~cross_loop_endpoint() { BATON_REQUIRE(cross_loop_endpoint_in_use, !servers_.first && !clients_.first); }

  /// For co_await and BATON_WAIT: sends `x.request` and waits for `x.reply`.
  call_operation call(exchange_type& x) { return call_operation(*this, x); }

  /// For co_await and BATON_WAIT: waits for a request.
  receive_operation receive(served_type& s) { return receive_operation(*this, s); }

  /// Replies; never waits.
  /// Errors   peer_gone: the client does not wait for the reply any more.
  status reply(served_type& s, const Reply& value) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    detail::cross_loop_wait* client = detail::exchange<detail::cross_loop_wait*>(s.client_, nullptr);
    if (!client) return status::peer_gone;
    static_cast<exchange_type*>(client->slot)->reply = value;
    return client->hand(status::ok, notify) ? status::ok : status::peer_gone;
  }

  /// Ends every queued wait with `closed`, including later ones. A request that is being served can
  /// still be answered.
  void close() {
    const std::lock_guard<std::mutex> hold(lock_);
    is_closed_ = true;
    detail::end_all(servers_, status::closed);
    detail::end_all(clients_, status::closed);
  }

 private:
  friend class cross_loop_served<Request, Reply>;

  void refuse(served_type& s) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    if (s.client_) detail::exchange<detail::cross_loop_wait*>(s.client_, nullptr)->hand(status::peer_gone, notify);
  }

  void serve(detail::cross_loop_wait& client, served_type& s) {
    s.request_ = static_cast<exchange_type*>(client.slot)->request;
    s.client_ = &client;
    s.from_ = this;
    client.held_by = &s.client_;
    client.phase = detail::cross_loop_wait::in_service;
  }

  std::mutex lock_;
  bool is_closed_ = false;
  detail::cross_loop_list servers_;
  detail::cross_loop_list clients_;
};

template <typename Request, typename Reply>
struct [[nodiscard]] cross_loop_endpoint<Request, Reply>::call_operation
    : detail::cross_loop_operation<call_operation> {
  call_operation(cross_loop_endpoint& e, exchange_type& x) noexcept
      : detail::cross_loop_operation<call_operation>(e.lock_, &x), target(&e) {}

  bool try_once(waiter&) const noexcept { return false; }

  /// Gives the request to a server that waits; the client then waits on, in service.
  bool attempt(status& s, detail::notify_later& notify, detail::cross_loop_wait& own) {
    while (detail::cross_loop_wait* server = target->servers_.pop()) {
      served_type& to = *static_cast<served_type*>(server->slot);
      target->serve(own, to);
      if (server->hand(status::ok, notify)) return false;
      to.client_ = nullptr;
      own.phase = detail::cross_loop_wait::idle;
    }
    s = status::closed;
    return target->is_closed_;
  }
  detail::cross_loop_list& list() { return target->clients_; }

  cross_loop_endpoint* target;
};

template <typename Request, typename Reply>
struct [[nodiscard]] cross_loop_endpoint<Request, Reply>::receive_operation
    : detail::cross_loop_operation<receive_operation> {
  receive_operation(cross_loop_endpoint& e, served_type& s) noexcept
      : detail::cross_loop_operation<receive_operation>(e.lock_, &s), source(&e) {}

  bool attempt(status& s, detail::notify_later&, const detail::cross_loop_wait&) {
    served_type& to = *static_cast<served_type*>(this->slot);
    BATON_REQUIRE(cross_loop_receive_before_reply, !to.client_);
    if (detail::cross_loop_wait* client = source->clients_.pop()) {
      source->serve(*client, to);
      return true;
    }
    s = status::closed;
    return source->is_closed_;
  }
  bool is_possible(const detail::cross_loop_claim&) const { return source->is_closed_ || source->clients_.first; }
  detail::cross_loop_list& list() { return source->servers_; }

  // No `give_back`: a request that was handed over is abandoned by the `cross_loop_served` of the
  // same frame.

  cross_loop_endpoint* source;
};

namespace detail {

template <typename Request, typename Reply>
struct [[nodiscard]] cross_loop_call_value : baton::exchange<Request, Reply>,
                                             cross_loop_endpoint<Request, Reply>::call_operation {
  using operation = typename cross_loop_endpoint<Request, Reply>::call_operation;
  cross_loop_call_value(cross_loop_endpoint<Request, Reply>& e, const Request& r) noexcept
      : operation(e, static_cast<baton::exchange<Request, Reply>&>(*this)) {
    this->request = r;
  }
  // It is copied before it waits: there is no reply.
  cross_loop_call_value(const cross_loop_call_value& o) noexcept : cross_loop_call_value(*o.target, o.request) {}

  result<Reply> outcome(status s) {
    if (s != status::ok) return s;
    return this->reply;
  }
};

}  // namespace detail

/// For co_await: calls an endpoint and returns the reply, as `result<Reply>`.
/// Cost     the request is copied into the frame.
template <typename Request, typename Reply>
detail::cross_loop_call_value<Request, Reply> call(cross_loop_endpoint<Request, Reply>& e,
                                                   const Request& request) noexcept {
  return detail::cross_loop_call_value<Request, Reply>(e, request);
}

}  // namespace baton::BATON_VARIANT::async
#endif
