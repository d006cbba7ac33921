// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_message.hpp>

namespace baton::BATON_VARIANT::components {

/// An event that a server sends to a page.
///
/// Source   WHATWG HTML, 9.2, server-sent events.
struct sent_event {
  // Not an aggregate: g++ 12 destroys the strings of one twice where it is made in a co_await.
  // NOLINTNEXTLINE(google-explicit-constructor): an argument of text_of
  sent_event(std::string d, std::string n = {}, std::string i = {})
      : data(std::move(d)), name(std::move(n)), id(std::move(i)) {}

  std::string data;  ///< each line is sent as a line; without data the page gets no event
  std::string name;  ///< "message" for the page if it is empty
  std::string id;    ///< the page sends the last one as `Last-Event-ID` when it connects anew
};

/// The event as it is sent. A line end in its name or id is left out: it would begin another field.
std::string text_of(const sent_event& e);

/// A response that is a stream of events:
///
///     co_return event_stream([this](http_stream& to) -> async::task<> {
///       while (co_await news.receive(n) == status::ok) {
///         if (co_await to.write(text_of({n.text})) != status::ok) co_return;
///       }
///     });
///
/// Context  as a response with a stream. A proxy may close a stream that is silent for long: write
///          a comment, ":\n\n", from time to time.
inline http_response event_stream(http_streamer by) {
  http_response r(200, {}, "text/event-stream");
  r.headers.push_back({"Cache-Control", "no-store"});
  r.stream = std::move(by);
  return r;
}

}  // namespace baton::BATON_VARIANT::components
