#pragma once

#include <string>

/// Returns the text of the page for so many visits.
inline std::string greeting(int visits) {
  return "Good morning. Visits in the last minute: " + std::to_string(visits) + "\n";
}
