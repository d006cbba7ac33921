// SPDX-License-Identifier: MIT
#include <baton/bench/print.hpp>
#include <baton/test/text.hpp>

using namespace baton;

namespace {

/// A sink with a static `put`, as a board's console.
struct paper {
  static test::text_sink<32> sink;

  static void put(char c) { sink.put(c); }
  static void clear() { sink = test::text_sink<32>(); }
};
test::text_sink<32> paper::sink;

}  // namespace

TEST_CASE("a number is printed without leading zeros") {
  paper::clear();
  bench::print_number<paper>(0);
  paper::put(' ');
  bench::print_number<paper>(7);
  paper::put(' ');
  bench::print_number<paper>(1234567890123u);
  CHECK_TEXT(paper::sink, "0 7 1234567890123");
}

TEST_CASE("thousandths have three decimals") {
  paper::clear();
  bench::print_thousandths<paper>(0);
  paper::put(' ');
  bench::print_thousandths<paper>(5);
  paper::put(' ');
  bench::print_thousandths<paper>(54050);
  CHECK_TEXT(paper::sink, "0.000 0.005 54.050");
}

TEST_CASE("text from flash and from memory reads the same") {
  paper::clear();
  bench::print_text<paper>(BATON_TEXT("case="));
  bench::print<paper>("nano");
  CHECK_TEXT(paper::sink, "case=nano");
}
