// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <Baton.h>

#include <ace_routine/Channel.h>
#include <ace_routine/ClockInterface.h>
#include <ace_routine/Coroutine.h>
#include <ace_routine/CoroutineProfiler.h>
#include <ace_routine/CoroutineScheduler.h>
#include <ace_routine/LogBinJsonRenderer.h>
#include <ace_routine/LogBinProfiler.h>
#include <ace_routine/LogBinTableRenderer.h>

// AceRoutine's header brings these along, and its programs use them without an include of their
// own. Not every board has them.
#if __has_include(<AceCommon.h>)
#include <AceCommon.h>
#endif
#if __has_include(<stdio.h>)
#include <stdio.h>
#endif

// Runs AceRoutine's programs on Baton: `#include <AceRoutine.h>` and
// `using namespace ace_routine;`, and nothing changes in them. The names are AceRoutine's, so their
// spelling differs from Baton's other modules.

/// The release of AceRoutine whose interface this library has.
#define ACE_ROUTINE_VERSION 10501
#define ACE_ROUTINE_VERSION_STRING "1.5.1"
