// SPDX-License-Identifier: MIT
//
// A pipeline on two loops: camera -> detector -> display. The work is done on a thread of its own.
// A frame that takes too long is given up, and the program is stopped while a frame is still being
// looked at. There is no lock here.
#include <baton/async.hpp>
#include <baton/async/loop_thread.hpp>
#include <baton/board.hpp>

#include "../support/say.hpp"

using namespace baton::literals;
namespace async = baton::async;
using baton::status;

struct frame {
  uint32_t number;
  uint32_t light;
  bool is_hard;
};

struct finding {
  uint32_t number;
  const char* what;
};

/// The work; it runs on the loop that calls it.
async::task<bool> is_bright(frame f) {
  if (f.is_hard) co_await async::sleep_for(600_s);
  co_return f.light > 100;
}

async::task<> camera(baton::channel<frame, 2>& to) {
  for (uint32_t n = 1; n <= 5; ++n) {
    const frame f{n, n % 2 ? 150u : 50u, n == 3 || n == 5};
    const status sent = co_await to.send(f);  // waits while two frames wait: a slow detector slows the camera down
    if (sent != status::ok) break;
  }
  to.close();
}

/// Lives on the main loop, as each channel does that it uses. Only `is_bright` goes to the worker,
/// and returns when its deadline passes.
async::task<> detector(baton::channel<frame, 2>& from, baton::channel<finding>& to, async::loop_handle worker) {
  frame f{};
  for (;;) {
    const status got = co_await from.receive(f);
    if (got != status::ok) break;
    auto seen = co_await async::within(1_s, async::run_on(worker, is_bright(f)));
    const finding found{f.number, !seen || !*seen ? "is given up" : **seen ? "is bright" : "is dark"};
    const status sent = co_await to.send(found);
    if (sent != status::ok) break;  // stopped
  }
  say("the detector ends");
  to.close();
}

async::task<> display(baton::channel<finding>& from, async::loop& program) {
  finding f{};
  for (;;) {
    const status got = co_await from.receive(f);
    if (got != status::ok) break;
    say("frame ", f.number, " ", f.what);
    if (f.number == 4) program.stop();  // the fifth frame is at the worker, or on its way there
  }
  say("the display ends");
}

int main() {
  baton::board::start();
  async::loop_thread worker;
  {
    baton::channel<frame, 2> frames;
    baton::channel<finding> findings;
    async::loop program;  // behind the objects that its coroutines use, so it is destroyed first
    program.spawn(camera(frames));
    program.spawn(detector(frames, findings, worker.handle()));
    program.spawn(display(findings, program));
    program.run();  // until all three coroutines have ended
  }
  worker.stop();
  worker.join();
  say(worker.has_failed() ? "the worker has failed" : "the worker has ended");
  baton::board::finish(0);
}
