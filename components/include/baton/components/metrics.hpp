// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// A number that only grows.
class counter {
 public:
  virtual ~counter() = default;
  virtual void add(double n = 1) = 0;
  virtual double value() const = 0;
};

/// A number that goes up and down.
class gauge {
 public:
  virtual ~gauge() = default;
  virtual void set(double n) = 0;
  virtual void add(double n) = 0;
  virtual double value() const = 0;
};

/// Counts values up to each of some bounds, and adds them up.
class histogram {
 public:
  virtual ~histogram() = default;
  virtual void observe(double n) = 0;
};

/// The labels that tell metrics of one name apart: {{"path", "/"}}.
using metric_labels = std::map<std::string, std::string>;

/// Numbers about the program, for a monitoring system. An interface; `prometheus_metrics`
/// implements it.
///
///     server(required<metrics> m)
///         : requests(m->make_counter("http_requests_total", "Requests.", {{"path", "/"}})) {}
///
/// Shape    a metric is valid as long as the service `metrics` is. The same name and labels return
///          the same metric again.
/// Context  any thread may make and change metrics, and ask for the text.
/// Errors   std::invalid_argument: the name or a label is invalid, the bounds do not increase, or
///          the name is another kind of metric.
class metrics {
 public:
  metrics(const metrics&) = delete;
  metrics& operator=(const metrics&) = delete;
  virtual ~metrics() = default;

  virtual counter& make_counter(const std::string& name, const std::string& help, const metric_labels& labels = {}) = 0;
  virtual gauge& make_gauge(const std::string& name, const std::string& help, const metric_labels& labels = {}) = 0;
  /// `bounds` increase. A value counts for the first bound that it does not exceed.
  virtual histogram& make_histogram(const std::string& name, const std::string& help, const std::vector<double>& bounds,
                                    const metric_labels& labels = {}) = 0;

  /// All metrics as text, in the exposition format of Prometheus (version 0.0.4).
  virtual std::string text() const = 0;

 protected:
  metrics() = default;
};

}  // namespace baton::BATON_VARIANT::components
