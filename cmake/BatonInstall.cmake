# SPDX-License-Identifier: MIT
#
# What find_package(baton) finds. The package is headers and the arrows between them, so one installation serves every
# architecture.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_DATADIR}/cmake/baton)
install(EXPORT baton NAMESPACE baton:: FILE batonTargets.cmake DESTINATION ${package_folder})

# A component for each module over a package of others, which it finds.
set(components)
foreach(module IN LISTS BATON_TABLE_MODULES)
  baton_module_value(package ${module} finds "")
  if(package)
    string(APPEND components "if(\"${module}\" IN_LIST baton_FIND_COMPONENTS)\n  include(CMakeFindDependencyMacro)\n"
           "  find_dependency(${package})\n  set(baton_${module}_FOUND TRUE)\nendif()\n")
  endif()
endforeach()
configure_package_config_file(cmake/batonConfig.cmake.in ${PROJECT_BINARY_DIR}/batonConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/batonConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/batonConfig.cmake ${PROJECT_BINARY_DIR}/batonConfigVersion.cmake
        DESTINATION ${package_folder})
