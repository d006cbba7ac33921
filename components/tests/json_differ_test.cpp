// SPDX-License-Identifier: MIT
//
// The seeded form of the fuzzer of JSON. A difference that has no explanation fails.
#include <baton/test/trace.hpp>

#include "../fuzz/json_differ.hpp"
#include "../fuzz/json_documents.hpp"

TEST_CASE("four readers see the same in documents of a grammar and in mutated ones, but for what is explained") {
  json_fuzz::documents some(1);
  json_fuzz::differ all;
  for (int i = 0; i != 30000; ++i) {
    std::string text = some.document();
    if (i % 3 == 2) text = some.mutated(std::move(text));
    const std::string difference = all.difference(text);
    if (difference.empty()) continue;
    CHECK_EQ(difference + ": " + json_fuzz::printable(text), "");
    break;
  }
  CHECK(all.accepted > 4000);
  CHECK(all.refused > 10000);
  for (size_t i = 0; i != json_fuzz::count_of_explanations; ++i) {
    const std::string met_by_none = all.explained[i] == 0 ? json_fuzz::explanations[i].why : "";
    CHECK_EQ(met_by_none, "");
  }
}
