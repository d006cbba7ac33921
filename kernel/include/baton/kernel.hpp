// SPDX-License-Identifier: MIT
#pragma once

/// All of the kernel: tasks with stacks and priorities that send, receive and reply.
#include <baton/kernel/syscalls.hpp>
#include <baton/kernel/system.hpp>
#include <baton/kernel/task_memory.hpp>
