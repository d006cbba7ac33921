# SPDX-License-Identifier: MIT
#
# Installs the package for find_package(baton): headers and the links between them, so that one
# installation serves every architecture, and beside them the libraries built for this machine.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_DATADIR}/cmake/baton)
install(EXPORT baton NAMESPACE baton:: FILE batonTargets.cmake DESTINATION ${package_folder})

# A component for each module that needs another package, which the component finds.
set(components)
foreach(module IN LISTS BATON_TABLE_MODULES)
  baton_module_value(package ${module} finds "")
  if(package)
    string(APPEND components "if(\"${module}\" IN_LIST baton_FIND_COMPONENTS)\n  include(CMakeFindDependencyMacro)\n"
           "  find_dependency(${package})\n  set(baton_${module}_FOUND TRUE)\nendif()\n")
  endif()
endforeach()
if(TARGET baton_tls)
  string(APPEND components "if(\"tls\" IN_LIST baton_FIND_COMPONENTS)\n  include(CMakeFindDependencyMacro)\n"
         "  find_dependency(OpenSSL 3.0)\n  set(baton_tls_FOUND TRUE)\nendif()\n")
endif()
set(BATON_LIBRARY_FOLDER ${CMAKE_INSTALL_LIBDIR}/baton)
configure_package_config_file(cmake/batonConfig.cmake.in ${PROJECT_BINARY_DIR}/batonConfig.cmake
                              INSTALL_DESTINATION ${package_folder} PATH_VARS BATON_LIBRARY_FOLDER)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/batonConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/batonConfig.cmake ${PROJECT_BINARY_DIR}/batonConfigVersion.cmake
        DESTINATION ${package_folder})

# The target `libraries` builds all libraries; a build without programs has nothing else to build.
# The libraries of virtual time are for this tree, and for projects that add it as a folder.
get_property(libraries GLOBAL PROPERTY BATON_LIBRARIES)
list(FILTER libraries EXCLUDE REGEX "_sim$")
set(of_all ALL)
if(BATON_PROGRAMS)
  set(of_all)
endif()
add_custom_target(libraries ${of_all} DEPENDS ${libraries})
foreach(library IN LISTS libraries)
  install(FILES $<TARGET_FILE:${library}> DESTINATION ${BATON_LIBRARY_FOLDER} OPTIONAL)
endforeach()

if(BATON_BOARD STREQUAL "host")
  include(cmake/BatonPkgConfig.cmake)
endif()
