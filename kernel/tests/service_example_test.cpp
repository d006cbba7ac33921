// SPDX-License-Identifier: MIT
#include <baton/kernel.hpp>
#include <baton/kernel/service.hpp>
#include <baton/test/check.hpp>

// The example of docs/kernel.md: a thermostat with two operations.

using namespace baton;

namespace {

struct nothing {};
struct degrees {
  int16_t celsius;
};

struct read_temperature : kernel::operation<1, nothing, degrees> {};
struct set_target : kernel::operation<2, degrees, nothing> {};
using thermostat = kernel::service<read_temperature, set_target>;

constexpr kernel::word too_hot = 1;

struct thermostat_server {
  kernel::handled handle(read_temperature, const kernel::received&, const nothing&, degrees& now) {
    now.celsius = target;
    return kernel::handled::reply();
  }
  kernel::handled handle(set_target, const kernel::received&, const degrees& wanted, nothing&) {
    if (wanted.celsius > 30) return kernel::handled::error(too_hot);
    target = wanted.celsius;
    return kernel::handled::reply();
  }
  int16_t target = 20;
};

kernel::system<2> program;
kernel::stack<65536> server_stack, client_stack;
kernel::tid server;
int16_t seen = 0;
kernel::word refused_with = 0;

void serve(void*) {
  thermostat_server handlers;
  thermostat::serve(handlers);
}

void client(void*) {
  nothing none;
  const kernel::ipc_result o = thermostat::call<set_target>(server, degrees{40}, none);
  refused_with = o.error_code();
  degrees now;
  if (thermostat::call<read_temperature>(server, nothing{}, now)) seen = now.celsius;
}

}  // namespace

TEST_CASE("the thermostat of docs/kernel.md refuses 40 degrees") {
  server = program.create(kernel::describe(2, serve, server_stack, "thermostat")).id;
  program.create(kernel::describe(1, client, client_stack, "client"));
  program.run();
  CHECK_EQ(refused_with, too_hot);
  CHECK_EQ(seen, 20);
}
