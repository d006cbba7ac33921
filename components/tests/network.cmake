# SPDX-License-Identifier: MIT
#
# Tests in real time, over the loopback interface, at free ports, one program per topic.
if(NOT TARGET baton_asio_test_support)
  return()
endif()

add_library(baton_components_network STATIC network.cpp)
target_link_libraries(baton_components_network PUBLIC baton::network baton_components_libraries baton_asio_test_support)

add_library(baton_components_websocket_support STATIC websocket_support.cpp)
target_link_libraries(baton_components_websocket_support PUBLIC baton_components_network)

set(topics http_server http_body http_rules http_places http_stream http_upgrade http_owner http_end http_client http_fuzz http_workers tcp tcp_places page websocket websocket_cases websocket_end websocket_fuzz)
if(NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
  list(APPEND topics tcp_descriptors)  # a sanitizer itself opens descriptors, to look at an object
endif()
find_program(BATON_CHROMIUM chromium)
if(BATON_CHROMIUM)
  list(APPEND topics page_browser websocket_browser)
else()
  message(STATUS "no test of components in a browser (Debian: chromium)")
endif()
foreach(topic IN LISTS topics)
  set(name components_${topic}_test)
  add_executable(${name} ${topic}_test.cpp)
  if(topic MATCHES "^websocket|upgrade")
    target_link_libraries(${name} PRIVATE baton_components_websocket_support)
  else()
    target_link_libraries(${name} PRIVATE baton_components_network)
  endif()
  if(topic MATCHES "browser")
    target_compile_definitions(${name} PRIVATE BATON_CHROMIUM="${BATON_CHROMIUM}")
  endif()
  if(topic STREQUAL "http_rules")
    target_sources(${name} PRIVATE http_rules.cpp)
    target_compile_definitions(${name} PRIVATE BATON_HTTP_RULES="${PROJECT_SOURCE_DIR}/docs/http-rules.md")
  endif()
  if(topic STREQUAL "websocket_cases")
    # prometheus-cpp needs zlib, too, so it is there.
    find_package(ZLIB REQUIRED)
    target_sources(${name} PRIVATE websocket_cases.cpp websocket_cases_deflate.cpp websocket_cases_end.cpp websocket_cases_page.cpp
                                   websocket_cases_text.cpp websocket_tester.cpp websocket_wire.cpp ../fuzz/strict_text.cpp)
    target_link_libraries(${name} PRIVATE ZLIB::ZLIB)
    target_compile_definitions(${name} PRIVATE BATON_WEBSOCKET_CASES="${PROJECT_SOURCE_DIR}/docs/websocket-cases.md")
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
endforeach()

# Programs in which one allocation is refused, in a process each: forty that a seed draws in each
# program, and every one.
add_executable(components_want_of_memory want_of_memory/main.cpp want_of_memory/trial.cpp
               want_of_memory/network_scenarios.cpp want_of_memory/service_scenarios.cpp)
target_link_libraries(components_want_of_memory PRIVATE baton_warnings baton::network baton_components_libraries baton::board)
set_target_properties(components_want_of_memory PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
add_test(NAME components_want_of_memory COMMAND components_want_of_memory)
add_test(NAME components_want_of_memory_every COMMAND components_want_of_memory every)
set_tests_properties(components_want_of_memory PROPERTIES TIMEOUT 120)
set_tests_properties(components_want_of_memory_every PROPERTIES TIMEOUT 900 LABELS exhaustive)

# TLS, with certificates that the tests make.
if(TARGET baton::tls)
  add_library(baton_components_certificates STATIC certificates.cpp)
  target_link_libraries(baton_components_certificates PUBLIC OpenSSL::Crypto)
  target_compile_features(baton_components_certificates PRIVATE cxx_std_20)
  foreach(topic IN ITEMS tls tls_end tls_websocket tls_peer)
    set(name components_${topic}_test)
    add_executable(${name} ${topic}_test.cpp)
    target_link_libraries(${name} PRIVATE baton::tls baton_components_websocket_support baton_components_certificates)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 120)
  endforeach()
  target_compile_definitions(components_tls_peer_test PRIVATE BATON_PYTHON="${Python3_EXECUTABLE}"
                                                              BATON_TLS_PEER="${CMAKE_CURRENT_SOURCE_DIR}/tls_peer.py")
  if(BATON_MUTATES)
    baton_mutants(tls_mutants.toml)
  endif()
endif()

if(BATON_MUTATES)
  baton_mutants(network_mutants.toml)
endif()

# The examples, under the sanitizers. The lab checks their output.
foreach(example IN ITEMS 26_http_ping_pong 27_tcp_echo 28_introspection_page 30_websocket_echo)
  add_test(NAME components_${example} COMMAND example_${example})
  set_tests_properties(components_${example} PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "all have ended" FAIL_REGULAR_EXPRESSION "ERROR|runtime error")
endforeach()
