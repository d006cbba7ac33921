// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/service/application.hpp>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

#include "ask_for.hpp"
#include "diagnosis.hpp"
#include "signals.hpp"

namespace baton::BATON_VARIANT::service {

struct application::state {
  state(application& a, const service::options& o) : self(a), options(o) { add("main", {}, {}); }

  detail::worker& add(std::string name, std::optional<network> n, const thread_options& o) {
    threads.reserve(threads.size() + 1);  // a worker without a thread would be waited for
    detail::worker& w = workers.emplace_back(self, std::move(name), options);
    w.services.on_report = [this](exit_code c, const std::string& text) { report(c, text); };
    w.services.on_settled = [this] { note_settled(); };
    w.services.on_told = [this](const std::string& text) { tell(text); };
    threads.push_back({o, n});
    return w;
  }

  void report(exit_code c, const std::string& text) {
    {
      const std::lock_guard<std::mutex> hold(lock);
      if (!has_failed) code = static_cast<int>(c);
      has_failed = is_quitting = true;
      sink(text);
    }
    request_quit_of_all();
  }
  /// Called once for each worker, on its thread.
  void note_settled() {
    if (settled.fetch_add(1) + 1 != workers.size()) return;
    for (detail::worker& w : workers) w.tell_started();
  }
  /// Called once for each worker, on its thread, or where it has none.
  bool note_farewell(const detail::worker& of) noexcept {
    if (farewells.fetch_add(1) + 1 != workers.size()) return false;
    for (detail::worker& w : workers) {
      if (&w != &of) w.tell_all_left();
    }
    return true;
  }
  void tell(const std::string& text) {
    const std::lock_guard<std::mutex> hold(lock);
    sink(text);
  }
  void request_quit_of_all() {
    for (detail::worker& w : workers) w.request_quit();
  }

  /// The threads of the other workers. Where an exception ends `run`, they end in order first.
  struct other_threads {
    explicit other_threads(state& s) : of(s) {}
    other_threads(const other_threads&) = delete;
    ~other_threads() {
      if (all.empty()) return;
      of.request_quit_of_all();
      for (size_t i = 0; i != of.workers.size(); ++i) {  // those that never ran, or do not any more
        if (i == 0 || i > all.size()) static_cast<void>(of.workers[i].tell_farewell());
      }
      join();
    }
    void join() {
      for (std::thread& t : all) t.join();
      all.clear();
    }
    state& of;
    std::vector<std::thread> all;
  };

  /// Runs a worker on a thread of its own. It ends the program if there is no memory to begin.
  void run_other(size_t i) {
    try {
      ask_for(i);
      run(workers[i], threads[i].over);
    } catch (const std::bad_alloc&) {
      report(exit_code::out_of_memory, "out of memory");  // a text so short needs none
      static_cast<void>(workers[i].tell_farewell());
    }
  }

  int run(async::poller* p) {
    const detail::end_signals ends(options.ends_at_signals, &self, &at_signal);
    other_threads others(*this);
    others.all.reserve(threads.size());
    for (size_t i = 1; i != threads.size(); ++i) others.all.emplace_back([this, i] { run_other(i); });
    ask_for(0);
    workers.front().run_with(p);
    others.join();
    if (const uint64_t n = self.lost_events())
      sink(std::to_string(n) + (n == 1 ? " event was" : " events were") + " dropped");
    return code;
  }

  static void run(detail::worker& w, const std::optional<network>& over) {
    if (!over) return w.run_with(nullptr);
    const std::exception_ptr none =
        over->run([](void* of, async::poller& p) { static_cast<detail::worker*>(of)->run_with(&p); }, &w);
    if (none) w.refuse_to_run("the worker " + detail::in_quotes(w.name) + " has no network: " + detail::what_of(none));
  }

  void ask_for(size_t worker) {
    const std::vector<std::string> lines = detail::ask_for(threads[worker].options);
    if (lines.empty()) return;
    const std::lock_guard<std::mutex> hold(lock);
    refusals += lines.size();
    for (const std::string& l : lines) sink("the worker '" + workers[worker].name + "' runs without an option: " + l);
  }
  static void at_signal(void* self, int number) {
    auto& a = *static_cast<application*>(self);
    a.quit(a.state_->options.tells_signal ? 128 + number : 0);
  }

  struct thread {
    thread_options options;
    std::optional<network> over;
  };

  application& self;
  const service::options options;
  std::deque<detail::worker> workers;
  std::vector<thread> threads;
  std::function<void(const std::string&)> sink = [](const std::string& text) {
    std::fprintf(stderr, "baton: %s\n", text.c_str());
  };
  std::mutex lock;
  int code = 0;
  std::atomic<size_t> settled{0};
  std::atomic<size_t> farewells{0};
  bool is_quitting = false;
  bool has_failed = false;
  size_t refusals = 0;
};

application::application(options o) : state_(std::make_unique<state>(*this, o)) {}
application::~application() = default;

std::vector<detail::worker*> detail::others_of(const worker& w) {
  std::vector<worker*> all;
  for (worker& other : w.program->state_->workers) {
    if (&other != &w) all.push_back(&other);
  }
  return all;
}

bool detail::is_last_farewell(const worker& w) noexcept {
  return w.program->state_->note_farewell(w);
}

context application::main() {
  return context(state_->workers.front(), nullptr);
}
context application::add_worker(std::string name, thread_options o) {
  return context(state_->add(std::move(name), std::nullopt, o), nullptr);
}
context application::add_worker(std::string name, network n, thread_options o) {
  return context(state_->add(std::move(name), n, o), nullptr);
}
void application::set_main_thread(thread_options o) noexcept {
  state_->threads.front().options = o;
}

int application::run() {
  return state_->run(nullptr);
}
int application::run(async::poller& p) {
  return state_->run(&p);
}

void application::quit(int code) {
  {
    const std::lock_guard<std::mutex> hold(state_->lock);
    if (!state_->is_quitting) state_->code = code;
    state_->is_quitting = true;
  }
  state_->request_quit_of_all();
}

uint64_t application::lost_events() const {
  uint64_t n = 0;
  for (const detail::worker& w : state_->workers) n += w.lost();
  return n;
}
uint64_t application::handled_events() const {
  uint64_t n = 0;
  for (const detail::worker& w : state_->workers) n += w.events.handled();
  return n;
}
size_t application::refusals() const noexcept {
  return state_->refusals;
}

void application::on_diagnostic(std::function<void(const std::string&)> sink) {
  state_->sink = std::move(sink);
}

size_t application::workers() const noexcept {
  return state_->workers.size();
}
detail::worker& application::worker(size_t i) noexcept {
  return state_->workers[i];
}

}  // namespace baton::BATON_VARIANT::service
