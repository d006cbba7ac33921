// SPDX-License-Identifier: MIT
#include <baton/core.hpp>
#include <baton/test/fragile.hpp>
#include <baton/test/random.hpp>
#include <deque>

// Channels of values whose copy throws, against a naive model. Each script of senders, receivers,
// selects, cancels and closes is run again and again: the first copy throws, then the second, and
// so on, until none is left that could. An action that throws has not happened: the model does not
// move, nobody is woken, and the same action succeeds afterwards.

using namespace baton;
using test::fragile;

namespace {

enum action : uint8_t {
  send,
  receive,
  send_at_once,
  receive_at_once,
  select_two_receives,
  select_send_or_receive,
  send_other_at_once,
  withdraw,
  close,
  actions
};

/// A job whose body does nothing: the test waits in its name. A select waits in two channels.
struct actor : waiter {
  actor() : waiter(nullptr) {}
  bool is_idle() const { return !is_listed() && on != selecting && !next; }

  fragile sent, got, got_other;
  bool sends = false;
  bool is_select = false;
  int expected = fragile::none;  // the value that it should have received
  status expected_end = status::ok;
  uint8_t expected_case = 0;
  spi::select_record record;
  spi::select_case cases[2];
};

struct naive_channel {
  size_t capacity;
  std::deque<int> stored;
  std::deque<actor*> senders, receivers;
  bool is_closed = false;
};

template <uint16_t Capacity>
class world {
 public:
  world() : pipe_model_{Capacity, {}, {}, {}}, other_model_{0, {}, {}, {}} { domain::has_strays() = true; }

  void perform(action a) {
    switch (a) {
      case send:
      case receive:
        if (actor* who = idle()) wait_for_one(*who, a == send);
        break;
      case select_two_receives:
      case select_send_or_receive:
        if (actor* who = idle()) wait_for_two(*who, a == select_send_or_receive);
        break;
      case send_at_once:
        try_send(pipe_, pipe_model_);
        break;
      case send_other_at_once:
        try_send(other_, other_model_);
        break;
      case receive_at_once:
        try_receive();
        break;
      case withdraw:
        withdraw_first();
        break;
      default:
        close_pipe();
    }
    look_at_the_woken();
  }

  /// Takes out all who wait, then all values.
  void end() {
    while (withdraw_first()) look_at_the_woken();
    while (!pipe_model_.stored.empty()) {
      try_receive();
      look_at_the_woken();
    }
    try_receive();
  }

  bool is_good() const { return is_good_; }

 private:
  using pipe_type = channel<fragile, Capacity>;

  void expect(bool good) { is_good_ = is_good_ && good; }

  actor* idle() {
    for (actor& a : actors_) {
      if (a.is_idle()) return &a;
    }
    return nullptr;
  }

  /// Does an action; if it throws, checks that nobody was woken, and does it again.
  template <typename Action>
  auto twice(Action act) -> decltype(act()) {
    try {
      return act();
    } catch (const fragile::broken&) {
      expect(domain::tail() == nullptr);
      return act();
    }
  }

  void prepare(actor& a, bool sends, bool is_select) {
    a.sent = fragile{++last_value_};
    a.got = fragile();
    a.got_other = fragile();
    a.expected = fragile::none;
    a.expected_end = status::ok;
    a.sends = sends;
    a.is_select = is_select;
    a.end(status::ok);
  }

  void wait_for_one(actor& a, bool sends) {
    prepare(a, sends, false);
    if (sends) {
      wait(a, pipe_.send(a.sent));
      offer(pipe_model_, a, 0);
    } else {
      wait(a, pipe_.receive(a.got));
      ask(pipe_model_, a, 0);
    }
    check_beginning(a);
  }
  template <typename Operation>
  void wait(actor& a, Operation o) {
    if (!twice([&] { return o.try_now(a); })) o.suspend(a);
  }

  void wait_for_two(actor& a, bool sends) {
    prepare(a, sends, true);
    use_select();
    a.record = spi::select_record();
    a.record.owner = &a;
    a.record.cases = a.cases;
    for (spi::select_case& c : a.cases) c.end(status::ok);
    if (sends) {
      select(a, spi::list_of(pipe_.send(a.sent), other_.receive(a.got_other)));
      if (!offer(pipe_model_, a, 0)) ask(other_model_, a, 1);
    } else {
      select(a, spi::list_of(pipe_.receive(a.got), other_.receive(a.got_other)));
      if (!ask(pipe_model_, a, 0)) ask(other_model_, a, 1);
    }
    check_beginning(a);
  }
  template <typename Operations>
  void select(actor& a, Operations o) {
    if (twice([&] { return o.try_from(a.record, 0); })) return a.end(status::ok);
    a.on = waiter::selecting;
    o.suspend_from(a.record, 0);
  }

  /// The model of a send, or a receive: true if it is over at once.
  bool offer(naive_channel& c, actor& a, uint8_t index) {
    a.expected_case = index;
    if (c.is_closed) return a.expected_end = status::closed, true;
    if (give(c, a.sent.value())) return true;
    c.senders.push_back(&a);
    return false;
  }
  bool ask(naive_channel& c, actor& a, uint8_t index) {
    a.expected_case = index;
    if (get(c, a.expected)) return true;
    if (c.is_closed) return a.expected_end = status::closed, true;
    c.receivers.push_back(&a);
    return false;
  }

  bool give(naive_channel& c, int value) {
    if (!c.receivers.empty()) {
      actor& to = take(c.receivers);
      to.expected = value;
      to.expected_case = &c == &other_model_ ? 1 : 0;
      return true;
    }
    if (c.stored.size() == c.capacity) return false;
    c.stored.push_back(value);
    return true;
  }
  bool get(naive_channel& c, int& value) {
    const bool has_stored = !c.stored.empty();
    if (!has_stored && c.senders.empty()) return false;
    if (has_stored) {
      value = c.stored.front();
      c.stored.pop_front();
    }
    if (c.senders.empty()) return true;
    actor& from = take(c.senders);
    from.expected_case = 0;
    if (has_stored) {
      c.stored.push_back(from.sent.value());
    } else {
      value = from.sent.value();
    }
    return true;
  }
  actor& take(std::deque<actor*>& queue) {
    actor& a = *queue.front();
    forget(a);
    woken_.push_back(&a);
    return a;
  }
  void forget(actor& a) {
    for (auto* q : {&pipe_model_.senders, &pipe_model_.receivers, &other_model_.senders, &other_model_.receivers}) {
      for (auto i = q->begin(); i != q->end(); ++i) {
        if (*i == &a) {
          q->erase(i);
          break;
        }
      }
    }
  }
  bool waits(const actor& a) const {
    for (auto* q : {&pipe_model_.senders, &pipe_model_.receivers, &other_model_.senders, &other_model_.receivers}) {
      for (const actor* each : *q) {
        if (each == &a) return true;
      }
    }
    return false;
  }

  /// After the beginning of a wait: the actor waits if the model says so, and else has its end.
  void check_beginning(actor& a) {
    if (a.expected_end == status::closed) forget(a);  // a closed case ends the whole select
    if (waits(a)) return expect(a.is_select ? a.on == waiter::selecting : a.is_listed());
    unready(a);
    check_end(a);
  }

  template <typename Channel>
  void try_send(Channel& c, naive_channel& model) {
    const fragile value(++last_value_);
    const status how = twice([&] { return c.try_send(value); });
    expect(value.value() == last_value_);
    if (model.is_closed) return expect(how == status::closed);
    expect(how == (give(model, last_value_) ? status::ok : status::full));
  }

  void try_receive() {
    fragile value;
    const status how = twice([&] { return pipe_.try_receive(value); });
    int expected = fragile::none;
    if (get(pipe_model_, expected)) return expect(how == status::ok && value.value() == expected);
    expect(how == (pipe_model_.is_closed ? status::closed : status::empty));
  }

  /// Ends the first wait as a cancel or a deadline does. false: none waits.
  bool withdraw_first() {
    for (actor& a : actors_) {
      if (!waits(a)) continue;
      expect(a.is_select ? a.record.withdraw_others(spi::select_record::none) : list_wait::withdraw(a));
      a.end(status::cancelled);
      forget(a);
      expect(a.got.value() == fragile::none && a.got_other.value() == fragile::none);
      return true;
    }
    return false;
  }

  void close_pipe() {
    pipe_.close();
    pipe_model_.is_closed = true;
    for (auto* q : {&pipe_model_.senders, &pipe_model_.receivers}) {
      while (!q->empty()) {
        q->front()->expected_case = 0;
        q->front()->expected_end = status::closed;
        take(*q);
      }
    }
  }

  /// Checks the ready queue: it holds the jobs that the model woke, in that order.
  void look_at_the_woken() {
    for (; !woken_.empty(); woken_.pop_front()) {
      actor& a = *woken_.front();
      if (!domain::tail()) return expect(false);
      job* head = domain::tail()->next;
      if (head->at == select_case_mark) head->body(head, head->at);
      expect(ready::is_head(&a));
      unready(a);
      check_end(a);
    }
    expect(domain::tail() == nullptr);
  }

  void check_end(actor& a) {
    expect(a.result() == a.expected_end);
    if (a.is_select) expect(a.record.won == a.expected_case);
    const bool receives = a.expected_case == 1 || !a.sends;
    const int got = (a.expected_case == 1 ? a.got_other : a.got).value();
    if (a.expected_end == status::ok && receives) expect(got == a.expected);
    if (a.sends && a.expected_end != status::ok) expect(a.sent.value() != fragile::none);
  }

  static void unready(actor& a) {
    if (a.next) ready::remove(&a);
  }

  pipe_type pipe_;
  channel<fragile> other_;
  naive_channel pipe_model_, other_model_;
  actor actors_[4];
  std::deque<actor*> woken_;
  int last_value_ = 0;
  bool is_good_ = true;
};

/// Runs a script with the copy number 1, 2, ... thrown, until no copy is left that could throw.
template <uint16_t Capacity, typename Script>
int run(const Script& script) {
  for (int n = 1;; ++n) {
    test::all_copies() = test::copies();
    bool was_thrown = false;
    {
      world<Capacity> w;
      test::all_copies().left = n;
      for (uint8_t a : script) {
        w.perform(static_cast<action>(a));
        if (!w.is_good()) return n;
      }
      w.end();
      was_thrown = test::all_copies().left == 0;
      if (!w.is_good()) return n;
    }
    if (test::all_copies().corrupt || test::all_copies().alive) return n;
    if (!was_thrown) return 0;
  }
}

std::string text_of(const std::deque<uint8_t>& script) {
  std::string text;
  for (uint8_t a : script) text += "srSR2xo-c"[a];
  return text;
}

/// All scripts of five actions, then longer ones by chance.
template <uint16_t Capacity>
void run_all() {
  std::deque<uint8_t> script(5, 0);
  for (bool more = true; more;) {
    const int thrown = run<Capacity>(script);
    CHECK_EQ(thrown ? text_of(script) : "", "");
    if (thrown) return;
    size_t i = 0;
    while (i != script.size() && ++script[i] == actions) script[i++] = 0;
    more = i != script.size();
  }
  test::random chance(Capacity + 1);
  for (int n = 0; n != 1000; ++n) {
    script.assign(40, 0);
    for (uint8_t& a : script) a = static_cast<uint8_t>(chance.below(chance.one_in(20) ? actions : close));
    const int thrown = run<Capacity>(script);
    CHECK_EQ(thrown ? text_of(script) : "", "");
    if (thrown) return;
  }
}

}  // namespace

TEST_CASE("a copy that throws in a rendezvous has not happened, whichever copy it is") {
  run_all<0>();
}

TEST_CASE("a copy that throws in a channel of one slot has not happened, whichever copy it is") {
  run_all<1>();
}

TEST_CASE("a copy that throws in a channel of three slots has not happened, whichever copy it is") {
  run_all<3>();
}
