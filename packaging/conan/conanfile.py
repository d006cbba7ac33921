# SPDX-License-Identifier: MIT
"""The Conan 2 recipe of Baton: the headers of all modules and boards, and the library of services.

asio, network and tls are left out: they need Boost and OpenSSL, for which a program takes the
package of its system or add_subdirectory (docs/cmake.md).
"""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy

SOURCES = (
    *("core", "kernel", "devices", "async", "asio", "service", "components", "compat"),
    *("ports", "families", "boards", "cmake", "emulators", "tools", "bench/harness"),
)


class Baton(ConanFile):
    name = "baton"
    license = "MIT"
    url = homepage = "https://github.com/baton-runtime/baton"
    description = "Cooperative concurrency in C++, from AVR to Linux"
    topics = ("coroutines", "concurrency", "embedded", "dependency-injection")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        lists = Path(self.recipe_folder, "..", "..", "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"^project\(baton VERSION (\d+\.\d+\.\d+)", lists, re.MULTILINE)[1]

    def export_sources(self):
        tree = Path(self.recipe_folder, "..", "..")
        for name in ("CMakeLists.txt", "modules.json", "LICENSE"):
            copy(self, name, tree, self.export_sources_folder)
        for name in SOURCES:
            copy(self, f"{name}/*", tree, self.export_sources_folder, excludes=("*/tests/*", "*/build/*", "*/node_modules/*"))

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("services are for Linux; firmware takes the folder, or the Arduino library")
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "BATON_PROGRAMS": False,
            "CMAKE_DISABLE_FIND_PACKAGE_Boost": True,
            "CMAKE_DISABLE_FIND_PACKAGE_OpenSSL": True,
        })
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="libraries")

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package's own CMake files have its targets; find_package(baton) finds them.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/baton"]
        self.cpp_info.libdirs = ["lib/baton"]
