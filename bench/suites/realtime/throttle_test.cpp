// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>
#include <fstream>

#include "throttle.hpp"

using suite_realtime::throttle;

namespace {

struct setting {
  explicit setting(const char* text) {
    close(mkstemp(path));
    std::ofstream(path) << text;
  }
  ~setting() { unlink(path); }
  std::string text() const {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
  }

  char path[32] = "/tmp/baton-throttle-XXXXXX";
};

std::vector<std::string> seen(const setting& s, bool may_set = true) {
  std::vector<std::string> names;
  const throttle t(s.path, may_set);
  t.under_each({-1, 950000}, [&](const std::string& name) {
    CHECK_EQ(s.text(), name);
    names.push_back(name);
  });
  return names;
}

/// Ends by a signal a process that has set the throttle, and waits until its guard has ended too.
void end_by(int signal, const setting& s) {
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(signal, SIG_DFL);  // the test program has a handler of its own
    const throttle t(s.path);
    if (!t.set(-1)) _exit(1);
    raise(signal);
    _exit(2);
  }
  close(ends[1]);
  int ended = 0;
  CHECK_EQ(waitpid(child, &ended, 0), child);
  CHECK(WIFSIGNALED(ended));
  char c = 0;
  CHECK_EQ(read(ends[0], &c, 1), 0);  // the guard holds the other end, too
  close(ends[0]);
}

}  // namespace

TEST_CASE("each setting is had once, the one that was there first, and is put back") {
  const setting s("500000");
  CHECK(seen(s) == std::vector<std::string>{"500000", "-1", "950000"});
  CHECK_EQ(s.text(), "500000");
  const setting usual("950000");
  CHECK(seen(usual) == std::vector<std::string>{"950000", "-1"});
  CHECK_EQ(usual.text(), "950000");
}

TEST_CASE("who may not set it has the setting that is there") {
  const setting s("500000");
  CHECK(seen(s, false) == std::vector<std::string>{"500000"});
  const throttle holds(s.path);
  CHECK(seen(s) == std::vector<std::string>{"500000"});
}

TEST_CASE("where there is no throttle the setting is called none") {
  std::vector<std::string> names;
  throttle("/nowhere").under_each({-1}, [&](const std::string& name) { names.push_back(name); });
  CHECK(names == std::vector<std::string>{"none"});
}

TEST_CASE("it is put back when a signal ends the program, also one that cannot be caught") {
  for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
    const setting s("950000");
    end_by(signal, s);
    CHECK_EQ(s.text(), "950000");
  }
}
