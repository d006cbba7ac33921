// SPDX-License-Identifier: MIT
// The console's logger writes line ends and escapes of a text as they are: a text of a stranger
// forges a line.
// Issue: Services and network.
#include <baton/components/console_logger.hpp>
#include <cstdio>
#include <string>

using namespace baton::components;

int main() {
  char* text = nullptr;
  size_t bytes = 0;
  std::FILE* const log = ::open_memstream(&text, &bytes);
  {
    logger_settings settings;
    settings.name = "web";
    console_logger to(settings, log);
    to.log(level::info, "a user says: hello\nerror web: the password is 1234");
  }
  std::fclose(log);
  const std::string all(text, bytes);
  std::free(text);
  if (all.find('\n') == all.size() - 1) return 0;
  std::printf("failed: a text is one line\n%s", all.c_str());
  return 1;
}
