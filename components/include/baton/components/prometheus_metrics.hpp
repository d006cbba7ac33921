// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <baton/components/metrics.hpp>
#include <functional>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <stdexcept>

namespace baton::BATON_VARIANT::components {

/// Metrics of prometheus-cpp.
///
/// Shape    a registry of its own. A histogram that is made again keeps the bounds of the first
///          time.
/// Context  any thread. A counter ignores negative amounts.
class prometheus_metrics final : public metrics {
  // These functions come first, because their deduced return types are used below.
  template <typename Builder>
  auto& build(Builder b, const std::string& name, const std::string& help) {
    return b.Name(name).Help(help).Register(registry_);
  }
  /// Turns an exception of the library into std::invalid_argument: it is the caller's mistake.
  template <typename Make>
  static auto& checked(Make make) {
    try {
      return make();
    } catch (const std::runtime_error& e) {
      throw std::invalid_argument(e.what());
    }
  }

 public:
  counter& make_counter(const std::string& name, const std::string& help, const metric_labels& labels) override {
    return in(counters_, checked([&]() -> auto& { return build(prometheus::BuildCounter(), name, help).Add(labels); }));
  }
  gauge& make_gauge(const std::string& name, const std::string& help, const metric_labels& labels) override {
    return in(gauges_, checked([&]() -> auto& { return build(prometheus::BuildGauge(), name, help).Add(labels); }));
  }
  histogram& make_histogram(const std::string& name, const std::string& help, const std::vector<double>& bounds,
                            const metric_labels& labels) override {
    if (!std::is_sorted(bounds.begin(), bounds.end(), std::less_equal<>())) {
      throw std::invalid_argument("the bounds of the histogram '" + name + "' do not grow");
    }
    if (labels.count("le") != 0) throw std::invalid_argument("the label 'le' is the histogram's own");
    return in(histograms_,
              checked([&]() -> auto& { return build(prometheus::BuildHistogram(), name, help).Add(labels, bounds); }));
  }

  std::string text() const override { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

 private:
  struct native_counter final : counter {
    explicit native_counter(prometheus::Counter& c) : of(c) {}
    void add(double n) override { of.Increment(n); }
    double value() const override { return of.Value(); }
    prometheus::Counter& of;
  };
  struct native_gauge final : gauge {
    explicit native_gauge(prometheus::Gauge& g) : of(g) {}
    void set(double n) override { of.Set(n); }
    void add(double n) override { of.Increment(n); }
    double value() const override { return of.Value(); }
    prometheus::Gauge& of;
  };
  struct native_histogram final : histogram {
    explicit native_histogram(prometheus::Histogram& h) : of(h) {}
    void observe(double n) override { of.Observe(n); }
    prometheus::Histogram& of;
  };
  template <typename Native, typename Ours>
  using table = std::map<Native*, std::unique_ptr<Ours>>;

  template <typename Native, typename Ours>
  Ours& in(table<Native, Ours>& all, Native& native) {
    const std::lock_guard<std::mutex> hold(lock_);
    std::unique_ptr<Ours>& found = all[&native];
    if (!found) found = std::make_unique<Ours>(native);
    return *found;
  }

  prometheus::Registry registry_;
  std::mutex lock_;
  table<prometheus::Counter, native_counter> counters_;
  table<prometheus::Gauge, native_gauge> gauges_;
  table<prometheus::Histogram, native_histogram> histograms_;
};

}  // namespace baton::BATON_VARIANT::components
