# SPDX-License-Identifier: MIT
#
# What find_package(baton) finds. The package is headers and the arrows between them, so one installation serves every
# architecture.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_DATADIR}/cmake/baton)
install(EXPORT baton NAMESPACE baton:: FILE batonTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(cmake/batonConfig.cmake.in ${PROJECT_BINARY_DIR}/batonConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/batonConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/batonConfig.cmake ${PROJECT_BINARY_DIR}/batonConfigVersion.cmake
        DESTINATION ${package_folder})
