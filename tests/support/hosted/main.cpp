// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <stdint.h>
#include <stdio.h>

namespace baton {
namespace test {

struct requirement_failed {  // the same as in check.hpp, which includes core and its weak handler
  uint16_t id;
};

namespace {

/// Prints the line that a board prints, too, and fails if nothing was checked.
struct verdict : doctest::IReporter {
  explicit verdict(const doctest::ContextOptions&) {}

  void test_run_end(const doctest::TestRunStats& run) override {
    unsigned failed = run.numTestCasesFailed;
    printf("%u passed, %u failed\n", run.numTestCasesPassingFilters - failed, failed);
    has_checked = run.numAsserts > 0;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

  static bool has_checked;
};

bool verdict::has_checked = false;

DOCTEST_REGISTER_LISTENER("verdict", 1, verdict);

}  // namespace
}  // namespace test
}  // namespace baton

/// A broken BATON_REQUIRE fails the test case in which it happens, unless the case expects it.
extern "C" __attribute__((noreturn)) void baton_require_failed(uint16_t id) {
  throw baton::test::requirement_failed{id};
}

DOCTEST_REGISTER_EXCEPTION_TRANSLATOR(const baton::test::requirement_failed& broken) {
  // doctest's strings free themselves. NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
  return doctest::String("requirement ") + doctest::toString(broken.id) + doctest::String(" does not hold");
}

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  int result = context.run();
  if (context.shouldExit()) return result;
  if (!baton::test::verdict::has_checked) {
    fprintf(stderr, "this program has checked nothing\n");
    return 1;
  }
  return result;
}
