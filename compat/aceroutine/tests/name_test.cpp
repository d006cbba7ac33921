// SPDX-License-Identifier: MIT
#include "support.hpp"

// The printed forms of a coroutine: its name, its status, its line in the list.

using Named = in_list<1>;
namespace {

/// Lets a test set a status that only the scheduler and a body set.
struct Exposed : Named {  // NOLINT(readability-identifier-naming): sketches name classes like this
  using Named::setRunning;
  using Named::setTerminated;
};

}  // namespace
COROUTINE(Exposed, ends) {
  COROUTINE_BEGIN();
  COROUTINE_DELAY(5);
  COROUTINE_END();
}
COROUTINE(Named, in_flash) {
  COROUTINE_LOOP() {
    COROUTINE_YIELD();
  }
}
COROUTINE(Named, in_ram) {
  COROUTINE_LOOP() {
    COROUTINE_YIELD();
  }
}

namespace {

template <typename Coroutine>
void set_names(const __FlashStringHelper* flash) {
  ends.setName("ends");
  in_flash.setName(flash);
  in_ram.setName("in RAM");
}

/// Formats like Print::print(n, HEX), with 0x in front.
const char* hexadecimal(uintptr_t address) {
  static char text[2 + 2 * sizeof(address) + 1];
  char* p = text + sizeof(text) - 1;
  do {
    *--p = "0123456789ABCDEF"[address & 0xf];
    address >>= 4;
  } while (address);
  *--p = 'x';
  *--p = '0';
  return p;
}

bool same(const char* a, const char* b) {
  for (; *a && *a == *b; ++a) ++b;
  return *a == *b;
}

}  // namespace

TEST_CASE("a name is a C string or a string in flash, and is kept as what it is") {
  const __FlashStringHelper* flash = F("in flash");
  set_names<Named>(flash);
  CHECK_EQ(in_ram.getNameType(), Named::kNameTypeCString);
  CHECK(same(in_ram.getCName(), "in RAM"));
  CHECK_EQ(in_flash.getNameType(), Named::kNameTypeFString);
  CHECK(in_flash.getFName() == flash);
  CHECK(Named::kNameTypeCString != Named::kNameTypeFString);
}

TEST_CASE("a name prints as it is, cut or padded if a width is given") {
  set_names<Named>(F("in flash"));
  printed<64> out;
  in_ram.printNameTo(out);
  out.write('|');
  in_ram.printNameTo(out, 4);
  out.write('|');
  in_ram.printNameTo(out, 8);
  out.write('|');
  in_flash.printNameTo(out);
  out.write('|');
  in_flash.printNameTo(out, 3);
  out.write('|');
  in_flash.printNameTo(out, 10);
  out.write('|');
  CHECK_PRINTED(out, "in RAM|in R|in RAM  |in flash|in |in flash  |");
}

TEST_CASE("one without a name prints as 0x and the upper-case hexadecimal digits of its address") {
  in_ram.setName(static_cast<const char*>(nullptr));
  printed<32> out;
  in_ram.printNameTo(out);
  const Named& listed = in_ram;
  CHECK(same(out.sink.text, hexadecimal(reinterpret_cast<uintptr_t>(&listed))));
}

TEST_CASE("the digits of an address: no leading zeros, and one for nothing") {
  const uintptr_t addresses[] = {0, 1, 0x1b1, 0xabcd, 0xf0e9};
  for (uintptr_t address : addresses) {
    printed<32> out;
    ace_routine::internal::NameCell cell(out, 0);
    cell.putAddress(address);
    CHECK_WITH(same(out.sink.text, hexadecimal(address)), address);
  }
  printed<8> narrow;
  ace_routine::internal::NameCell cell(narrow, 4);
  cell.putAddress(0xabcd);
  cell.finish();
  CHECK_PRINTED(narrow, "0xAB");
}

TEST_CASE("list() prints a line for each, the newest first: its name and its status") {
  set_names<Named>(F("in flash"));
  TestableClockInterface::setMillis(0);
  scheduler_of<Named>::setup();
  visit<Named>(3);
  in_flash.suspend();
  printed<160> out;
  scheduler_of<Named>::list(out);
  CHECK_PRINTED(out,
                "Coroutine in RAM; status: Yielding\r\n"
                "Coroutine in flash; status: Suspended\r\n"
                "Coroutine ends; status: Delaying\r\n");
}

TEST_CASE("each status prints by its name") {
  TestableClockInterface::setMillis(0);
  ends.reset();
  printed<80> out;
  ends.statusPrintTo(out);
  ends.runCoroutine();
  out.write(' ');
  ends.statusPrintTo(out);
  ends.suspend();
  out.write(' ');
  ends.statusPrintTo(out);
  ends.resume();
  ends.setRunning();
  out.write(' ');
  ends.statusPrintTo(out);
  TestableClockInterface::setMillis(5);
  ends.runCoroutine();
  out.write(' ');
  ends.statusPrintTo(out);
  ends.setTerminated();
  out.write(' ');
  ends.statusPrintTo(out);
  CHECK_PRINTED(out, "Yielding Delaying Suspended Running Ending Terminated");
}

TEST_CASE("sStatusStrings has the name of each status at its number") {
  printed<80> out;
  const Named::Status all[] = {Named::kStatusSuspended, Named::kStatusYielding, Named::kStatusDelaying,
                               Named::kStatusRunning,   Named::kStatusEnding,   Named::kStatusTerminated};
  for (Named::Status s : all) {
    out.print(sStatusStrings[s]);
    out.write(' ');
  }
  CHECK_PRINTED(out, "Suspended Yielding Delaying Running Ending Terminated ");
  CHECK_EQ(Named::kStatusSuspended, 0);
  CHECK_EQ(Named::kStatusTerminated, 5);
}
