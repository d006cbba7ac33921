// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_limits.hpp>
#include <baton/components/http_routes.hpp>
#include <optional>

/// Finds the answer to a request, for any library that reads and writes them.
namespace baton::BATON_VARIANT::components::detail {

/// The result of a route's coroutine. The coroutine and its waiter share it, because either may be
/// gone before the other.
struct http_job {
  std::optional<http_response> response;
  bool has_thrown = false;
  bool is_too_late = false;
  async::manual_event done;
};

/// True if a server can send the response as it is. No header may contain a line end, which would
/// begin another header.
inline bool is_sound(const http_response& r) {
  const auto is_text = [](const std::string& s) {
    for (const char c : s) {
      if ((c >= 0 && c < ' ' && c != '\t') || c == 127) return false;
    }
    return true;
  };
  const auto is_name = [](const std::string& s) {
    for (const char c : s) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!is_letter && std::string_view("!#$%&'*+-.^_`|~").find(c) == std::string_view::npos) return false;
    }
    return !s.empty();
  };
  if (r.status < 200 || r.status > 599 || !is_text(r.type)) return false;
  if ((r.status == 204 || r.status == 304) && !r.body.empty()) return false;
  for (const http_header& h : r.headers) {
    if (!is_name(h.name) || !is_text(h.value)) return false;
  }
  // The server itself sets the headers of the connection.
  return !r.header("Content-Length") && !r.header("Transfer-Encoding") && !r.header("Connection");
}

/// Runs the route as a coroutine of the owner.
inline async::task<> run_job(std::shared_ptr<http_job> j, std::shared_ptr<http_target> t, http_request r,
                             duration limit) {
  struct end {
    ~end() { of.done.set(); }
    http_job& of;
  } const at_end{*j};
  try {
    async::result<http_response> got = co_await async::within(limit, t->handler(std::move(r)));
    if (got) j->response = std::move(*got);
    j->is_too_late = got.status() == status::timed_out;
  } catch (...) {
    j->has_thrown = true;
  }
}

/// The response to a job's request, which it counts.
inline http_response result_of(http_job& j, http_counters& counts) {
  if (j.has_thrown || (j.response && !is_sound(*j.response))) {
    ++counts.failed;
    return http_response(500, "The server has failed.\n");
  }
  if (j.response) {
    ++counts.answered;
    return std::move(*j.response);
  }
  ++(j.is_too_late ? counts.too_late : counts.unavailable);
  return http_response(503, "This is not available.\n");
}

/// The answer to a method that the path does not have.
inline http_response refuse_method(const http_routes::methods& known) {
  http_response r(405, "The method is not allowed.\n");
  std::string allowed;
  for (const auto& one : known) allowed += (allowed.empty() ? "" : ", ") + one.first;
  r.headers.push_back({"Allow", std::move(allowed)});
  return r;
}

/// Answers a request by its route.
inline async::task<http_response> dispatch(const http_routes& routes, const http_limits& limits, http_counters& counts,
                                           http_request r) {
  ++counts.requests;
  const http_routes::methods* const known = routes.find(r.path());
  if (!known) {
    ++counts.not_found;
    co_return http_response(404, "There is no such page.\n");
  }
  auto found = known->find(r.method);
  if (found == known->end() && r.method == "HEAD") found = known->find("GET");
  if (found == known->end()) {
    ++counts.not_allowed;
    co_return refuse_method(*known);
  }
  const std::shared_ptr<http_target> to = found->second;
  auto job = std::make_shared<http_job>();
  if (to->is_available()) {
    to->owner.spawn(run_job(job, to, std::move(r), limits.answering_time));
    const status waited = co_await job->done.wait();
    static_cast<void>(waited);  // a stop leaves the job without an answer
  }
  co_return result_of(*job, counts);
}

}  // namespace baton::BATON_VARIANT::components::detail
