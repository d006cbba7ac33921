# SPDX-License-Identifier: MIT
#
# The tests of the servers and of the coroutines' task must go red, too.

# A name leads to a task that has ended.
_kernel_defect(names_of_the_dead servers_names servers/name_server.hpp "if (is_alive(e.id)) return &e;" "return &e;")
# A second task takes a name away.
_kernel_defect(stolen_names servers_names servers/name_server.hpp "error::none : error::busy;" "error::none : error::none;")
# Who is due at the same tick goes on in the opposite order.
_kernel_defect(sleepers_out_of_order servers_clock servers/clock_server.hpp
               "first_[slot - 1].due > due" "first_[slot - 1].due >= due")
# A delay that was given up ends the next one.
_kernel_defect(former_delays servers_clock servers/clock_server.hpp "    drop(m.from);\n" "")
# A long delay misses a lap of the clock.
_kernel_defect(missed_laps servers_clock servers/clock_server.hpp
               "left < Time::longest ? left : Time::longest" "left < forever ? left : forever")
# What a reader that gave up was to get is lost.
_kernel_defect(bytes_of_late_readers servers_serial servers/serial_queues.hpp
               "if (serial_protocol::reply(client, a)) received_.drop(a.count);"
               "serial_protocol::reply(client, a), received_.drop(a.count);")
# What a writer that gave up had offered is sent.
_kernel_defect(bytes_of_late_writers servers_serial servers/serial_queues.hpp
               "if (serial_protocol::reply(client, serial_reply{error::none, q.count, {}})) to_send_"
               "serial_protocol::reply(client, serial_reply{error::none, q.count, {}}), to_send_")
# A task that has ended keeps its slot, and its clients wait.
_kernel_defect(slots_of_the_dead coroutine_server_endpoint coroutine_server_core.hpp "        drop_those_that_ended();\n" "")
# What was handed to a task that has ended is not counted.
_kernel_defect(uncounted_values coroutine_server_storm coroutine_server_core.hpp
               "if (o.result == result_disposal::value) baton::detail::count_dropped_value();" "static_cast<void>(o);")
# A request that a dead server had received is forgotten.
_kernel_defect(rights_of_the_dead coroutine_server_endpoint operation_slot.hpp "if (what->release) what->release(data);" "")
# A right is anybody's.
_kernel_defect(stolen_rights coroutine_server_endpoint coroutine_server_core.hpp "p->client != client || " "")
# What a client gave up still takes a value.
_kernel_defect(former_requests coroutine_server_channel coroutine_server_core.hpp "    drop_former(client);\n" "")
# Timeouts are forgotten.
_kernel_defect(forgotten_timeouts coroutine_server_channel operation_slot.hpp
               "is_timed ? this->wait_until_(label, due, operation) : this->wait_" "this->wait_")
