// SPDX-License-Identifier: MIT
#include "websocket_tester.hpp"

#include <algorithm>

using baton::status;
using baton::components::tcp_result;

namespace websocket_cases {

tester::tester(baton::components::tcp_connection& c, bool is_client, const agreement& a)
    : to(c), masks(is_client), in(!is_client, a), deflates(is_client ? a.of_client : a.of_server) {}

async::task<> tester::write(std::string bytes) {
  static_cast<void>(co_await to.write(bytes));  // a side that refuses may not read all
}
async::task<> tester::read_some() {
  char some[16384];
  const tcp_result got = co_await to.read_some(some);
  in.add({some, got.bytes});
  if (got) co_return;
  has_ended = true;
  if (got.ended == status::timed_out) in.fault = "it does not hang up";
}
async::task<> tester::read(size_t answers) {
  while (!is_over() && in.answers.size() < answers && in.code == 0) co_await read_some();
}
async::task<> tester::read_to_end() {
  while (!is_over()) co_await read_some();
}

namespace {

async::task<> send(tester& by, const std::string& bytes, size_t piece) {
  if (piece == whole || piece == by_frame) piece = bytes.size();
  for (size_t at = 0; at < bytes.size(); at += piece) co_await by.write(bytes.substr(at, piece));
}

/// Sends the frames. Those that wait for no answer are sent at once, if the case does not cut them.
async::task<> send_all(tester& by, const dialogue& c) {
  std::string waiting;
  for (const frame& f : c.sent) {
    waiting += encoded(f.first, f.payload, by.masks);
    const bool is_due = f.awaits != 0 || c.piece == by_frame || &f == &c.sent.back();
    if (!is_due) continue;
    co_await send(by, waiting, c.piece);
    waiting.clear();
    if (f.awaits != 0) co_await by.read(f.awaits);
  }
}

/// Sends the first part of a case, and the second one behind a silence; the third one is not sent.
async::task<> send_early(tester& by, const dialogue& c) {
  std::string all;
  std::vector<size_t> ends;
  for (const frame& f : c.sent) ends.push_back((all += encoded(f.first, f.payload, by.masks)).size());
  if (!c.cuts.empty()) ends = {all.size() - c.cuts[0], all.size() - c.cuts[1]};
  co_await by.write(all.substr(0, ends[0]));
  char one = 0;
  const async::result<tcp_result> early = co_await async::within(baton::milliseconds(20), by.to.read_some({&one, 1}));
  if (early) by.in.fault = "it does not wait for the second part";
  co_await by.write(all.substr(ends[0], ends[1] - ends[0]));
}

bool begins_with(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
}

/// Says how the end of a case is wrong; empty: it is not.
std::string fault_of(const tester& t, const std::vector<std::string>& answers, const std::vector<uint16_t>& codes,
                     bool may_be_mute) {
  if (!t.in.fault.empty()) return t.in.fault;
  if (t.in.answers != answers && !(may_be_mute && begins_with(answers, t.in.answers))) {
    return std::to_string(t.in.answers.size()) + " answers, or others than it should give";
  }
  const bool is_right = std::find(codes.begin(), codes.end(), t.in.code) != codes.end();
  return is_right ? "" : "it closes with " + std::to_string(t.in.code);
}

}  // namespace

async::task<std::string> play(tester& by, const dialogue& c) {
  if (c.is_early) {
    co_await send_early(by, c);
  } else {
    co_await send_all(by, c);
  }
  if (c.codes.empty()) {
    co_await by.read(c.answers.size());
    co_await by.write(encoded(closing, code_of(1000), by.masks));
  }
  co_await by.read_to_end();
  co_return fault_of(by, c.answers, c.codes.empty() ? std::vector<uint16_t>{1000} : c.codes, c.may_be_mute);
}

async::task<std::string> play(tester& by, const stream& s) {
  const unsigned kind = (is_text(s.kind) ? text : binary) | is_deflated;
  std::vector<std::string> answers;
  for (size_t i = 0; i != s.count && !by.is_over(); ++i) {
    const std::string data = sample(s.kind, i * s.bytes, s.bytes);
    answers.push_back((is_text(s.kind) ? "t" : "b") + data);
    const std::string deflated = by.deflates.message(data);
    const size_t step = s.fragment == 0 ? deflated.size() : s.fragment;
    std::string frames;
    for (size_t at = 0; at < deflated.size(); at += step) {
      const unsigned end = at + step >= deflated.size() ? last : 0;
      frames += encoded((at == 0 ? kind & 0x7f : 0) | end, deflated.substr(at, step), by.masks);
    }
    co_await by.write(frames);
    co_await by.read(answers.size());
  }
  co_await by.write(encoded(closing, code_of(1000), by.masks));
  co_await by.read_to_end();
  co_return fault_of(by, answers, {1000}, false);
}

}  // namespace websocket_cases
