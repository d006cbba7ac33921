# SPDX-License-Identifier: MIT
"""Links programs that mix variants: variants_test.py PROJECT COMPILER LIBRARY [ASIO_LIBRARY BOOST]

Each wrong mix must fail when it is linked, and name the missing variant; the right one must run.
LIBRARY is that of service on the port host, with exceptions and without AddressSanitizer.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT, COMPILER, LIBRARY = Path(), "", ""
ASIO_LIBRARY, BOOST = "", ""

PROGRAM = """
#include <baton/service.hpp>
struct one {
  explicit one(baton::service::context c) { c.quit(7); }
};
int main() {
  baton::service::application app;
  app.add<one>();
  return app.run();
}
"""

# The two halves of a program that pass each other an object of a library.
PART = {"service": "#include <baton/service.hpp>\nvoid other(baton::service::context c) { c.quit(7); }\n",
        "async": "#include <baton/async/loop.hpp>\nint other(baton::async::loop& l) { return l.timers() == 0 ? 7 : 1; }\n"}  # fmt: skip
WHOLE = {
    "service": """
#include <baton/service.hpp>
void other(baton::service::context);
int main() {
  baton::service::application app;
  other(app.main());
  return app.run();
}
""",
    "async": """
#include <baton/async/loop.hpp>
int other(baton::async::loop&);
int main() {
  baton::async::loop l;
  return other(l);
}
""",
}

POLLER = """
#include <baton/asio/poller.hpp>
int main() {
  baton::asio::poller io;
  return io.wait(0) ? 7 : 1;
}
"""


class MixedTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compile(self, name: str, source: str, *flags: str, port: "Path | None" = None) -> str:
        """Returns the object file of a source, compiled with the port host by default."""
        port = port or PROJECT / "ports/host/include"
        modules = [PROJECT / module / "include" for module in ("core", "async", "asio", "service", "ports/host/common")]
        (self.folder / f"{name}.cpp").write_text(source)
        command = [COMPILER, "-std=c++20", *flags, *(f"-I{root}" for root in (port, *modules)), "-c", f"{name}.cpp", "-o", f"{name}.o"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return f"{name}.o"

    def link(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [COMPILER, *words, "-pthread", "-o", "program"]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)

    def check_runs(self, *words: str) -> None:
        done = self.link(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(subprocess.run([self.folder / "program"], timeout=60, check=False).returncode, 7)

    def check_fails(self, missing: str, *words: str) -> None:
        done = self.link(*words)
        self.assertNotEqual(done.returncode, 0, "it was linked")
        self.assertRegex(done.stderr, rf"undefined reference to .baton::{missing}::|undefined reference to .other\(baton::{missing}::")

    def port_named(self, name: str) -> Path:
        """Returns a port that is the host's except for its name, for instance one that traces."""
        root = self.folder / name
        (root / "baton").mkdir(parents=True)
        text = (PROJECT / "ports/host/include/baton/port.hpp").read_text()
        (root / "baton/port.hpp").write_text(text.replace("#define BATON_PORT_NAME host", f"#define BATON_PORT_NAME {name}"))
        return root

    def test_the_right_one(self) -> None:
        self.check_runs(self.compile("main", PROGRAM), LIBRARY)

    def test_checks(self) -> None:
        self.check_fails("on_host_checked", self.compile("main", PROGRAM, port=PROJECT / "ports/host_checked/include"), LIBRARY)

    def test_virtual_time(self) -> None:
        self.check_fails("on_sim", self.compile("main", PROGRAM, port=PROJECT / "ports/sim/include"), LIBRARY)

    def test_a_trace(self) -> None:
        self.check_fails("on_host_traced", self.compile("main", PROGRAM, port=self.port_named("host_traced")), LIBRARY)

    def test_address_sanitizer(self) -> None:
        """Links without the sanitizer's runtime, which clang's package leaves out: the linker names each missing function."""
        self.check_fails("on_host_asan", self.compile("main", PROGRAM, "-fsanitize=address"), LIBRARY)

    def test_two_halves_of_a_program(self) -> None:
        half = self.compile("half", PART["service"])
        self.check_runs(self.compile("main", WHOLE["service"]), half, LIBRARY)
        checked = self.compile("checked", WHOLE["service"], port=PROJECT / "ports/host_checked/include")
        self.check_fails("on_host_checked", checked, half, LIBRARY)

    def test_exceptions(self) -> None:
        """Tests service, which always has exceptions, and async, which looks the same without."""
        main = self.compile("main", WHOLE["async"])
        self.check_runs(main, self.compile("half", PART["async"]))
        self.check_fails("on_host", main, self.compile("without", PART["async"], "-fno-exceptions"))

    def test_the_poller(self) -> None:
        if not ASIO_LIBRARY:
            self.skipTest("Boost is not here")
        boost = [f"-I{BOOST}"] if BOOST else []
        self.check_runs(self.compile("main", POLLER, *boost), ASIO_LIBRARY)
        selects = self.compile("selects", POLLER, "-DBOOST_ASIO_DISABLE_EPOLL", *boost)
        self.check_fails("on_host::asio::over_select", selects, ASIO_LIBRARY)


if __name__ == "__main__":
    PROJECT, COMPILER, LIBRARY = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    ASIO_LIBRARY, BOOST = (*sys.argv[4:], "", "")[:2]
    unittest.main(argv=sys.argv[:1], verbosity=2)
