// SPDX-License-Identifier: MIT
#pragma once

/// Everything of the kernel: tasks with stacks and priorities that send, receive and reply.
#include <baton/kernel/slices.hpp>
#include <baton/kernel/system.hpp>
#include <baton/kernel/typed.hpp>
