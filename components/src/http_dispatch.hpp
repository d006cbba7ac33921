// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/linked_scope.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/http_limits.hpp>
#include <baton/components/http_routes.hpp>
#include <optional>

#include "http_body_pipe.hpp"
#include "http_pipe.hpp"
#include "http_text.hpp"

/// Finds the answer to a request, for any library that reads and writes them.
namespace baton::BATON_VARIANT::components::detail {

/// The result of a route's coroutine. The coroutine and its connection share it, because either may
/// be gone before the other.
struct http_job {
  explicit http_job(http_request&& r) : request(std::move(r)) {}

  http_request request;
  std::optional<http_response> response;
  bool has_thrown = false;
  bool is_too_late = false;
  std::shared_ptr<http_pipe> pipe;       // of a response with a stream
  std::shared_ptr<http_body_pipe> body;  // of a request whose route reads it in pieces
  async::manual_event done;              // there is a response, or none will come
  async::stop_source unwanted;           // stopped when the client has gone
};

/// A route's coroutine is stopped, and its body taken no further, when the connection needs it no
/// more.
struct wanted_job {
  std::shared_ptr<http_job> job;
  ~wanted_job() {
    if (job->pipe) job->pipe->cut();
    if (job->body) job->body->finish(http_body_end::stopped);
    job->unwanted.stop();
  }
};

/// True if a server can send the response as it is. No header may contain a line end, which would
/// begin another header.
inline bool is_sound(const http_response& r) {
  if (r.status < 200 || r.status > 599 || !is_field_value(r.type)) return false;
  if ((r.status == 204 || r.status == 304) && (!r.body.empty() || r.stream)) return false;
  for (const http_header& h : r.headers) {
    if (!is_token(h.name) || !is_field_value(h.value)) return false;
  }
  // The server itself sets the headers of the connection.
  return !r.header("Content-Length") && !r.header("Transfer-Encoding") && !r.header("Connection") && !r.header("Date");
}

/// Calls the route.
inline async::task<> call_route(http_job& j, http_target& t) {
  const http_way& by = t.handler;
  try {
    if (j.body) {
      j.response = co_await async::with_frame(by.streamed->handler(std::move(j.request), *j.body));
    } else {
      j.response = co_await async::with_frame(by.whole(std::move(j.request)));
    }
  } catch (...) {
    j.has_thrown = true;
  }
}

inline async::task<> call_streamer(http_pipe& p, http_streamer s, bool& is_whole) {
  try {
    co_await async::with_frame(s(p));
    is_whole = true;
  } catch (...) {
    is_whole = false;
  }
}

/// The turns of the loop in which a route that waits for nothing is called and answers.
inline constexpr int turns_of_a_job = 2;

/// Runs the route as a coroutine of the owner, and then the stream of its response. Want of memory
/// is a failure of the request, not of the owner.
inline async::task<> run_job(std::shared_ptr<http_job> j, std::shared_ptr<http_target> t, duration limit) {
  struct end {
    ~end() {
      if (of.pipe) of.pipe->end(is_whole);
      of.done.set();
    }
    http_job& of;
    bool is_whole = false;
  } at_end{*j};
  try {
    {
      async::linked_scope wanted(j->unwanted.token());
      wanted.spawn(async::with_frame(call_route(*j, *t)));
      co_await async::yield();
      status ended = status::ok;
      if (wanted.running() != 0) ended = co_await async::within(limit, wanted.join());
      while (ended == status::timed_out && j->body && j->body->left_of(limit) != 0_s) {
        ended = co_await async::within(j->body->left_of(limit), wanted.join());
      }
      if (ended == status::timed_out) {
        wanted.stop();
        co_await wanted.join_nothrow();
        j->is_too_late = true;
      }
    }
    if (j->is_too_late || !j->response || !j->response->stream || !is_sound(*j->response)) co_return;
    j->pipe = std::make_shared<http_pipe>();
    http_streamer streamer = std::move(j->response->stream);
    j->done.set();
    async::linked_scope wanted(j->unwanted.token());
    wanted.spawn(async::with_frame(call_streamer(*j->pipe, std::move(streamer), at_end.is_whole)));
    co_await wanted.join();
  } catch (const std::bad_alloc&) {
    j->has_thrown = true;
  }
}

/// The response to a job's request, which it counts.
inline http_response result_of(http_job& j, http_counters& counts) {
  const bool is_over = j.is_too_late;
  if (!is_over && (j.has_thrown || (j.response && !is_sound(*j.response)))) {
    http_response failure(500, "The server has failed.\n");
    ++counts.failed;
    return failure;
  }
  if (!is_over && j.response) {
    ++counts.answered;
    return std::move(*j.response);
  }
  http_response none(503, "This is not available.\n");
  ++(is_over ? counts.too_late : counts.unavailable);
  return none;
}

inline std::string names_of(const http_routes::methods& known) {
  std::string allowed;
  for (const auto& one : known) {
    allowed += (allowed.empty() ? "" : ", ") + one.first;
    if (one.first == "GET" && known.count("HEAD") == 0) allowed += ", HEAD";
  }
  return allowed;
}

/// The answer to a method that the path does not have.
inline http_response refuse_method(const http_routes::methods& known) {
  http_response r(405, "The method is not allowed.\n");
  r.headers.push_back({"Allow", names_of(known)});
  return r;
}

/// The target of a request, whose parameters it sets; null: `refusal` is the answer, and counted.
inline std::shared_ptr<http_target> target_of(const http_routes& routes, http_counters& counts, http_request& r,
                                              http_response& refusal) {
  std::vector<route_parameter> parameters;
  const http_routes::methods* const known = routes.find(r.path(), &parameters);
  if (!known) {
    refusal = http_response(404, "There is no such page.\n");
    ++counts.not_found;
    return nullptr;
  }
  auto found = known->find(r.method);
  if (found == known->end() && r.method == "HEAD") found = known->find("GET");
  if (found == known->end()) {
    refusal = refuse_method(*known);
    ++counts.not_allowed;
    return nullptr;
  }
  for (const route_parameter& p : parameters) r.parameters.push_back({std::string(p.name), std::string(p.value)});
  return found->second;
}

/// The target of a request if its route reads bodies in pieces, or null. The parameters of the
/// request are set then.
inline std::shared_ptr<http_target> streamed_target_of(const http_routes& routes, http_request& r) {
  if (!routes.has_streamed) return nullptr;
  std::vector<route_parameter> parameters;
  const http_routes::methods* const known = routes.find(r.path(), &parameters);
  if (!known) return nullptr;
  const auto found = known->find(r.method);
  if (found == known->end() || !found->second->handler.streamed) return nullptr;
  for (const route_parameter& p : parameters) r.parameters.push_back({std::string(p.name), std::string(p.value)});
  return found->second;
}

/// The body of a request that has been read to its end, for a route that reads in pieces.
inline std::shared_ptr<http_body_pipe> body_of(http_request& r) {
  auto body = std::make_shared<http_body_pipe>();
  const bool is_empty = r.body.empty();
  body->room() = std::exchange(r.body, {});
  if (!is_empty) body->give();
  body->finish(http_body_end::whole);
  return body;
}

/// Begins to answer a request by its route. `body` is what a route that reads in pieces reads.
inline std::shared_ptr<http_job> begin_job(const std::shared_ptr<http_target>& to, http_request&& r, duration limit,
                                           std::shared_ptr<http_body_pipe> body = nullptr) {
  auto job = std::make_shared<http_job>(std::move(r));
  job->body = std::move(body);
  if (!job->body && to->handler.streamed) job->body = body_of(job->request);
  if (to->is_available()) {
    to->owner.spawn(run_job(job, to, limit));
  } else {
    job->done.set();
  }
  return job;
}

}  // namespace baton::BATON_VARIANT::components::detail
