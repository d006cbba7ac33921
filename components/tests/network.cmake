# SPDX-License-Identifier: MIT
#
# In real time, over the loopback interface, at ports that are free. One program a topic; what includes Beast is compiled once for all of them.
if(NOT TARGET baton_asio_test_support)
  return()
endif()

add_library(baton_components_network STATIC network.cpp)
target_link_libraries(baton_components_network PUBLIC baton::components baton_components_libraries baton_asio_test_support)

# What includes Beast's WebSocket is compiled once for the tests of WebSockets.
add_library(baton_components_websocket_support STATIC websocket_support.cpp)
target_link_libraries(baton_components_websocket_support PUBLIC baton_components_network)

set(topics http_server http_owner http_client http_fuzz tcp page websocket websocket_end websocket_fuzz)
find_program(BATON_CHROMIUM chromium)
if(BATON_CHROMIUM)
  list(APPEND topics page_browser websocket_browser)
else()
  message(STATUS "no test of components in a browser (Debian: chromium)")
endif()
foreach(topic IN LISTS topics)
  set(name components_${topic}_test)
  add_executable(${name} ${topic}_test.cpp)
  if(topic MATCHES "^websocket")
    target_link_libraries(${name} PRIVATE baton_components_websocket_support)
  else()
    target_link_libraries(${name} PRIVATE baton_components_network)
  endif()
  if(topic MATCHES "browser")
    target_compile_definitions(${name} PRIVATE BATON_CHROMIUM="${BATON_CHROMIUM}")
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
endforeach()

# ---- The tests must go red: each of these has one defect in a header of the module. ----

# _network_defect(<defect> <test> <case> <header> <text> <replacement>)
#
# components_finds_<defect> is the case of <test>_test.cpp whose name begins so, with the defect. It must fail, or never end, which is where SIGTERM finds it.
function(_network_defect defect test case header text replacement)
  set(name components_finds_${defect})
  seed(${defect} components/include/baton/components/${header} "${text}" "${replacement}")
  if(DEFINED SEED_FAILED_${defect})
    add_test(NAME ${name} COMMAND sh -c "echo \"$1\"; exit 1" sh "${SEED_FAILED_${defect}}")
    return()
  endif()
  if(test MATCHES "^websocket")
    # The header with the defect is in websocket_support.cpp alone.
    add_executable(${name} websocket_support.cpp $<TARGET_OBJECTS:components_${test}_test>)
    target_link_libraries(${name} PRIVATE baton_components_network)
  else()
    add_executable(${name} ${test}_test.cpp network.cpp)
    target_link_libraries(${name} PRIVATE baton::components baton_components_libraries baton_asio_test_support)
  endif()
  target_include_directories(${name} BEFORE PRIVATE ${SEED_ROOT_${defect}})
  target_compile_options(${name} PRIVATE -O0 -g0)  # a fraction of the time
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND timeout 10 $<TARGET_FILE:${name}> "--test-case=${case}*")
  set_tests_properties(${name} PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "0 passed, 1 failed")
endfunction()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize|coverage")
  # One byte too many passes.
  _network_defect(a_header_too_large http_server "what is too large" beast_http_session.hpp "bytes > limits_.header_bytes" "bytes > limits_.header_bytes + 1")
  # Each piece of a request has all the time.
  _network_defect(a_body_without_deadline http_server "who is slow" asio_socket.hpp "due > now ? due - now : 0" "due > now ? seconds(100) : 0")
  # What a service puts into a header may begin another.
  _network_defect(a_split_answer http_server "a route that fails" http_dispatch.hpp "!is_name(h.name) || !is_text(h.value)" "!is_name(h.name)")
  # One more than the limit.
  _network_defect(a_connection_too_many tcp "there are no more" asio_listener.hpp "open.running() >= most" "open.running() > most")
  # An end is counted twice.
  _network_defect(a_wrong_sum http_fuzz "requests with mistakes" beast_http_session.hpp "++(core.counts.*end);" "++(core.counts.*end), ++core.counts.left;")
  # A route stays when its service has gone.
  _network_defect(a_route_of_nobody http_owner "a route's service" routes.hpp "in_->remove(method_, path_);" "")
  # A limit of Beast's own in place of the client's.
  _network_defect(an_answer_too_large http_client "a client refuses" beast_http_client.hpp "p.body_limit(limits.body_bytes);" "")
  # Any page in a browser may connect.
  _network_defect(a_page_of_others websocket "what asks for no WebSocket" web_origin.hpp "return origins.empty() && is_of_loopback(*origin);" "return true;")
  # A limit of Beast's own in place of the server's.
  _network_defect(a_message_too_large websocket "what is too large" beast_websocket.hpp "limits_.message_bytes == 0 ? 1 : limits_.message_bytes" "16u << 20")
  # A client that is silent is never left.
  _network_defect(a_client_without_end websocket_end "a silent client" beast_websocket.hpp "if (has_asked && !is_heard) leave(ending::idle);" "")
  # All that comes is read, whether it is received or not.
  _network_defect(an_inbox_without_limit websocket_end "what is not received" beast_websocket.hpp "inbox_.size() >= limits_.waiting_messages" "inbox_.size() >= 1000")
  # A client has all the time to open.
  _network_defect(an_opening_without_deadline websocket_end "who opens slowly" beast_websocket_session.hpp "due_(port::now() + c.limits.handshake_time)" "due_(port::now() + seconds(100))")
  # An end is counted twice.
  _network_defect(a_wrong_sum_of_ends websocket_fuzz "openings and frames" beast_websocket_session.hpp "++(core.counts.*end);" "++(core.counts.*end), ++core.counts.left;")
  # Other workers are asked, and not waited for.
  _network_defect(a_worker_left_out page "the page shows all workers" introspection.hpp "if (asked == status::ok) ++all->missing;" "static_cast<void>(asked);")
  # A name in the page is more than a text.
  _network_defect(a_name_in_bold page "the page shows the services" program_page.hpp "if (c == '<')" "if (c == 1)")
  # The path is another.
  _network_defect(a_path_that_is_not_heard page "the metrics' text" metrics_page.hpp "std::move(path)" "\"/\" + path")
endif()

# The examples, where sanitizers see them, too: their expected output is the lab's affair.
foreach(example IN ITEMS 26_http_ping_pong 27_tcp_echo 28_introspection_page 30_websocket_echo)
  add_test(NAME components_${example} COMMAND example_${example})
  set_tests_properties(components_${example} PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "all have ended" FAIL_REGULAR_EXPRESSION "ERROR|runtime error")
endforeach()
