// SPDX-License-Identifier: MIT
//
// Handles the calls after the first five, in which size matters more than speed.
#include <baton/cortex_m_tasks/running.hpp>

using namespace baton::cortex_m_tasks;
namespace kernel = baton::kernel;

extern "C" context_switch baton_kernel_other_call(kernel::request& r, kernel::kernel_state& m, kernel::word number) {
  kernel::tcb* self = m.running;
  if (!may_call(self, r)) return refuse_call(r, m);
  return go(&self->context, kernel::enter_linked<first_calls>(m, number, r));
}
