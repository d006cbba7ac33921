// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include <string>
#include <utility>

namespace {

caf::behavior null_logger(caf::event_based_actor*) {
  return {[](const std::string&) {}};
}

/// Offers an interface that is never called here.
class providing : public caf::event_based_actor {
 public:
  providing(caf::actor_config& config, caf::actor logger, start_stop* work)
      : event_based_actor(config), logger_(std::move(logger)) {
    ++work->providers;
  }
  caf::behavior make_behavior() override {
    return {[](tick) {}};
  }
  void on_exit() override { logger_ = nullptr; }

 private:
  caf::actor logger_;
};

/// Needs a provider, and tells its supervisor that it has started.
class depending : public caf::event_based_actor {
 public:
  depending(caf::actor_config& config, caf::actor logger, caf::actor provider, caf::actor supervisor)
      : event_based_actor(config),
        logger_(std::move(logger)),
        provider_(std::move(provider)),
        supervisor_(std::move(supervisor)) {}
  caf::behavior make_behavior() override {
    send(supervisor_, started::value);
    return {[](tick) {}};
  }
  void on_exit() override {
    logger_ = nullptr;
    provider_ = nullptr;
    supervisor_ = nullptr;
  }

 private:
  caf::actor logger_, provider_, supervisor_;
};

void start(caf::event_based_actor* self, start_stop* work) {
  work->provider = self->spawn<providing, caf::monitored>(work->logger_of_provider, work);
  work->dependant = self->spawn<depending, caf::monitored>(work->logger_of_dependant, work->provider,
                                                           caf::actor_cast<caf::actor>(self));
}

/// The dependant ends first. When both have ended, they start again, or the work is over.
void on_end(caf::event_based_actor* self, start_stop* work, const caf::actor_addr& whose) {
  ++work->ended;
  if (whose == work->dependant) {
    work->dependant = nullptr;
    self->send_exit(work->provider, caf::exit_reason::user_shutdown);
    return;
  }
  work->provider = nullptr;
  if (work->dependants <= work->count) {
    start(self, work);
    return;
  }
  work->logger_of_provider = nullptr;
  work->logger_of_dependant = nullptr;
  work->over.set_value();
}

}  // namespace

start_stop::start_stop(caf::actor_system& system, uint64_t cycles)
    : count(cycles), logger_of_provider(system.spawn(null_logger)), logger_of_dependant(system.spawn(null_logger)) {}

caf::behavior start_stop::behavior(caf::event_based_actor* self, start_stop* work) {
  self->set_down_handler([=](const caf::down_msg& down) { on_end(self, work, down.source); });
  return {[=](started) {
            ++work->dependants;
            self->send_exit(work->dependant, caf::exit_reason::user_shutdown);
          },
          [=](tick) { start(self, work); }};
}
