# SPDX-License-Identifier: MIT
"""Builds a consumer's project: packaging_test.py PROJECT CMAKE COMPILER BUILD

cmake/tests shows that a consumer finds a board. This project links core and a port alone, runs a
coroutine, and keeps its own flags: its careless source must compile without a warning, and its
commands must not hold an option of this tree. A second program has tasks: it links a board and its
port's kernel part. Programs of the modules with libraries are built in each way that docs/cmake.md
shows: with the libraries that BUILD, this tree's own, installs, and with libraries that the
consumer's project compiles.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, CMAKE, COMPILER, BUILD = Path(), "", "", ""

MAIN = """
#include <baton/core.hpp>
#include <stdio.h>

static int careless() {
  int unused;
  unsigned one = 1;
  if (one == -1) puts("never");
  return 0;
}

struct greeter : baton::coroutine<greeter, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i = 0; i < 3; ++i) {
      printf("%d ", i);
      BATON_DELAY_US(10);
    }
    BATON_END();
  }
  int i = 0;
};

static greeter g;

int main() {
  g.start();
  while (!g.is_done()) baton::scheduler::run_one();
  return careless();
}
"""

TASKS = """
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdio.h>

namespace kernel = baton::kernel;
static kernel::system<2> tasks;
static kernel::stack<65536> stacks[2];
static kernel::tid server;

static void serve(void*) {
  int n;
  kernel::received m = kernel::receive(&n, sizeof n);
  while (m) m = kernel::reply_receive(m.client, &n, sizeof n, &n, sizeof n);
}

static void ask(void*) {
  for (int n = 0; n < 3; ++n) {
    kernel::sleep(baton::milliseconds(1));
    int reply = 7;
    if (kernel::send(server, &n, sizeof n, &reply, sizeof reply)) printf("%d ", reply);
  }
  tasks.stop();
}

int main() {
  baton::board::start();
  server = tasks.create(kernel::describe(2, serve, stacks[0], "server")).id;
  tasks.create(kernel::describe(1, ask, stacks[1], "client"));
  tasks.run();
  return 0;
}
"""

ASIO = """
#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/post.hpp>
#include <stdio.h>

static baton::async::task<> greet() {
  co_await boost::asio::post(baton::asio::use_baton);
  printf("from Asio");
}

int main() {
  baton::asio::poller io;
  baton::async::loop all(io);
  all.spawn(greet());
  all.run();
}
"""

ASIO_LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::asio baton::board_host)
"""

NETWORK = """
#include <baton/components/asio_tcp_server.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/components/beast_websocket_server.hpp>
#include <baton/service.hpp>
#include <stdio.h>

using namespace baton::service;
using namespace baton::components;

struct visitor {
  visitor(required<http_client> c, required<http_server> s, required<tcp_server>, required<websocket_server>, context here) {
    here.spawn(look(c, s, here));
  }
  static baton::async::task<> look(required<http_client> c, required<http_server> s, context here) {
    const http_reply r = co_await c->get(tcp_place(s->port()), "/");
    printf("%d", r.response.status);
    here.quit();
  }
};
static baton::async::task<> hang_up(tcp_connection&) { co_return; }

int main() {
  application app;
  app.add<beast_http_server, http_server>();
  app.add<beast_http_client, http_client>();
  app.add<beast_websocket_server, websocket_server>();
  app.add<asio_tcp_server, tcp_server>(tcp_handler(hang_up));
  app.add<visitor>();
  baton::asio::poller io;
  return app.run(io);
}
"""

NETWORK_LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::network baton::board_host)
"""

TLS = """
#include <baton/components/tls_client.hpp>
#include <cstdio>
#include <stdexcept>

int main() {
  try {
    baton::components::tls_client::trusting("none.pem");
  } catch (const std::runtime_error&) {
    std::printf("refused");
  }
}
"""

TLS_LISTS = NETWORK_LISTS.replace("baton::network", "baton::tls")

SERVICE = """
#include <baton/service.hpp>
#include <stdio.h>

using namespace baton::service;

struct counter {
  int count = 41;
};
struct printer {
  printer(required<counter> c, context here) {
    printf("%d services", ++c->count);
    here.quit();
  }
};

int main() {
  application app;
  app.add<printer>();
  app.add<counter>();
  return app.run();
}
"""

SERVICE_LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::service baton::board_host)
"""

CHECKED_LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::service baton::core baton::port_host_checked_core)
set_target_properties(consumer PROPERTIES BATON_VARIANT host_checked)
"""

INSTALLED = "find_package(baton 0.1 REQUIRED)"
INSTALLED_WITH_ASIO = "find_package(baton 0.1 REQUIRED COMPONENTS asio)"
FETCHED = 'include(FetchContent)\nFetchContent_Declare(baton URL "nowhere.zip")\nFetchContent_MakeAvailable(baton)'
HAS_BOOST = Path("/usr/include/boost/asio.hpp").is_file()

LISTS = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
{find}
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE baton::core baton::port_host_core)
add_executable(tasks tasks.cpp)
target_link_libraries(tasks PRIVATE baton::board_host baton::port_host)
"""


class PackagingTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_cmake(self, *words: str) -> "tuple[int, str]":
        done = subprocess.run([CMAKE, *words], cwd=self.folder, capture_output=True, text=True, timeout=250, check=False)
        return done.returncode, done.stdout + done.stderr

    def cmake(self, *words: str) -> str:
        code, said = self.run_cmake(*words)
        self.assertEqual(code, 0, said)
        return said

    def configure(self, find: str, *options: str) -> "tuple[int, str]":
        (self.folder / "consumer").mkdir(exist_ok=True)
        (self.folder / "consumer/main.cpp").write_text(MAIN)
        (self.folder / "consumer/tasks.cpp").write_text(TASKS)
        (self.folder / "consumer/CMakeLists.txt").write_text(LISTS.format(find=find))
        return self.run_cmake("-S", "consumer", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options)  # fmt: skip

    def check_consumer(self, find: str, *options: str) -> None:
        code, said = self.configure(find, *options)
        self.assertEqual(code, 0, said)
        self.assertNotIn("warning", self.cmake("--build", "build"))
        commands = json.loads((self.folder / "build/compile_commands.json").read_text())
        own = [entry["command"] for entry in commands if entry["file"].endswith("main.cpp")]
        self.assertEqual(len(own), 1)
        self.assertEqual(re.findall(r"\s(-W\S+|-O\S*|-f\S+|-g\S*)(?=\s)", own[0]), [], own[0])
        for program in ("consumer", "tasks"):
            got = subprocess.run([self.folder / "build" / program], capture_output=True, text=True, timeout=60, check=True)
            self.assertEqual(got.stdout, "0 1 2 ", program)

    def test_a_consumer_of_the_installed_package(self) -> None:
        self.cmake("-S", str(PROJECT), "-B", "package", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DBATON_PROGRAMS=OFF")
        self.cmake("--install", "package", "--prefix", "prefix")
        self.check_that_each_module_is_there()
        prefix = f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}"
        self.check_consumer("find_package(baton 0.1 REQUIRED)", prefix)
        code, said = self.configure("find_package(baton 77.7 REQUIRED)", prefix)
        self.assertNotEqual(code, 0, "a version that is not there was found")
        self.assertIn("77.7", said)

        # Its libraries were not built, so a program that needs one is refused before it is linked.
        (self.folder / "consumer/CMakeLists.txt").write_text(SERVICE_LISTS.format(find=INSTALLED))
        code, said = self.run_cmake("-S", "consumer", "-B", "late", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", prefix)
        self.assertNotEqual(code, 0, "a program was configured without the library that it links")
        self.assertIn("baton::service_was_installed_before_cmake_--build_--target_libraries", said)

    def test_programs_over_the_installed_libraries(self) -> None:
        self.cmake("--install", BUILD, "--prefix", "prefix")
        prefix = f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}"
        self.check_module("service", SERVICE, SERVICE_LISTS, INSTALLED, "42 services", prefix)
        self.check_module("checked", SERVICE, CHECKED_LISTS, INSTALLED, "42 services", prefix)
        if HAS_BOOST:
            self.check_module("asio", ASIO, ASIO_LISTS, INSTALLED_WITH_ASIO, "from Asio", prefix)
            self.check_module("network", NETWORK, NETWORK_LISTS, INSTALLED_WITH_ASIO, "404", prefix)
            self.check_module("tls", TLS, TLS_LISTS, INSTALLED_WITH_ASIO.replace("asio", "asio tls"), "refused", prefix)
        else:
            print("left out: the component asio, because Boost is not here")

    def check_that_each_module_is_there(self) -> None:
        """Checks for each module's target, all its headers, and its component if it needs one."""
        table = json.loads((PROJECT / "modules.json").read_text(encoding="utf-8"))
        package = self.folder / "prefix/share/cmake/baton"
        targets, config = (package / "batonTargets.cmake").read_text(), (package / "batonConfig.cmake").read_text()
        installed = {path.relative_to(self.folder / "prefix/include").as_posix() for path in self.folder.glob("prefix/include/**/*.h*")}
        for name, row in table["modules"].items():
            self.assertIn(f"add_library(baton::{name} INTERFACE IMPORTED)", targets)
            root = PROJECT / row["folder"] / row.get("headers", "include")
            headers = [path.relative_to(root).as_posix() for path in root.rglob("*.h*")]
            self.assertTrue(headers, name)
            for header in headers:
                self.assertTrue(any(path == header or path.endswith(f"/{header}") for path in installed), f"{name}: {header}")
            self.assertEqual("finds" in row, f'"{name}" IN_LIST baton_FIND_COMPONENTS' in config, name)

    def configure_module(self, module: str, source: str, lists: str, find: str, *options: str) -> str:
        """Writes and configures a consumer of a module; returns its build folder."""
        (self.folder / module).mkdir()
        (self.folder / module / "main.cpp").write_text(source)
        (self.folder / module / "CMakeLists.txt").write_text(lists.format(find=find))
        self.cmake("-S", module, "-B", f"over_{module}", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                   "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options)  # fmt: skip
        return f"over_{module}"

    def check_module(self, module: str, source: str, lists: str, find: str, printed: str, *options: str) -> None:
        """Builds and runs a consumer of a module that only some programs need."""
        build = self.configure_module(module, source, lists, find, *options)
        self.cmake("--build", build, "--target", "consumer")
        got = subprocess.run([self.folder / build / "consumer"], capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(got.stdout, printed)

    def options_of(self, module: str, source: str) -> str:
        """Returns the command by which a consumer's project compiles a source of a library."""
        commands = json.loads((self.folder / f"over_{module}/compile_commands.json").read_text())
        found = [entry["command"] for entry in commands if entry["file"].endswith(source)]
        self.assertNotEqual(found, [], f"{source} is not compiled")
        return " ".join(found)

    def test_a_consumer_that_adds_the_project_as_a_folder(self) -> None:
        self.check_consumer(f"add_subdirectory({PROJECT.as_posix()} baton)")

    @unittest.skipUnless(HAS_BOOST, "Boost is not here")
    def test_a_folder_that_is_added_before_boost_is_found(self) -> None:
        add = f"add_subdirectory({PROJECT.as_posix()} baton)\nfind_package(Boost 1.81 REQUIRED)"
        self.check_module("asio", ASIO, ASIO_LISTS, add, "from Asio", "-DCMAKE_CXX_FLAGS=-DTHEIR_OWN")
        self.assertIn("-DTHEIR_OWN", self.options_of("asio", "asio/src/poller.cpp"))
        self.assertIn("-DTHEIR_OWN", self.options_of("asio", "components/src/beast_http.cpp"))

    @unittest.skipUnless(HAS_BOOST, "Boost is not here")
    def test_a_folder_that_is_added_after_boost_was_found(self) -> None:
        add = f"find_package(Boost 1.81 REQUIRED)\nadd_subdirectory({PROJECT.as_posix()} baton)"
        self.configure_module("network", NETWORK, NETWORK_LISTS, add)
        self.options_of("network", "components/src/beast_http.cpp")

    def test_a_consumer_that_fetches_the_project(self) -> None:
        folder = f"-DFETCHCONTENT_SOURCE_DIR_BATON={PROJECT.as_posix()}"
        self.check_consumer(FETCHED, folder)
        self.check_module("service", SERVICE, SERVICE_LISTS, FETCHED, "42 services", folder, "-DCMAKE_CXX_FLAGS=-DTHEIR_OWN")
        self.assertIn("-DTHEIR_OWN", self.options_of("service", "service/src/worker.cpp"))

    def test_a_board_without_its_toolchain_is_refused(self) -> None:
        code, said = self.configure(f"add_subdirectory({PROJECT.as_posix()} baton)", "-DBATON_BOARD=nano")
        self.assertNotEqual(code, 0)
        self.assertIn("BATON_BOARD is 'nano', which runs on port_avr_core, but BATON_PORT is 'host'", " ".join(said.split()))


if __name__ == "__main__":
    PROJECT, CMAKE, COMPILER, BUILD = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
