// SPDX-License-Identifier: MIT
#pragma once

#include <peer.hpp>

/// The cases of the suite service, where the session is of that.
void run_service(peer::session& session);
