// SPDX-License-Identifier: MIT
#pragma once

#include <peer.hpp>

/// Runs the cases of the suite service, if the session is for it.
void run_service(peer::session& session);
