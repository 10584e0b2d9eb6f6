// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform

/// The names of the metrics of a sender, by its queue.
package enum SenderMetricNames: String, Sendable {
    case ofMessages = "delivery"
    case ofFunctions = "function"

    fileprivate var plural: String { self == .ofMessages ? "deliveries" : "function_attempts" }
}

/// The metrics of a sender.
struct SenderMetrics: Sendable {
    private let attempts: MetricFamily<Counter>
    private let seconds: Histogram
    private let names: SenderMetricNames

    init(_ metrics: Metrics, _ names: SenderMetricNames) {
        self.names = names
        attempts = metrics.counters(
            "signalbox_\(names.rawValue)_attempts_total", "Delivery attempts by status class or error.", labels: ["result"])
        seconds = metrics.histogram(
            "signalbox_\(names.rawValue)_attempt_duration_seconds", "Duration of a delivery attempt.", bounds: Histogram.seconds)
    }

    /// Registers gauges that are read when they are collected.
    func watch(_ metrics: Metrics, _ read: @escaping @Sendable () -> (inFlight: Int, held: Int, broken: Int)) {
        metrics.gauge("signalbox_\(names.plural)_in_flight", "Delivery attempts in progress.") { Double(read().inFlight) }
        metrics.gauge("signalbox_\(names.plural)_held", "Deliveries claimed but not sent yet.") { Double(read().held) }
        metrics.gauge("signalbox_\(names.rawValue)_breakers_open", "Origins with an open circuit breaker.") { Double(read().broken) }
    }

    func count(_ results: [CourierResult]) {
        var classes: [String: Int] = [:]
        for result in results where result.failure != .cancelled {
            classes[result.failure?.rawValue ?? "\(result.status / 100)xx", default: 0] += 1
            seconds.observe(.milliseconds(result.milliseconds))
        }
        for (name, count) in classes { attempts(name).add(count) }
    }
}
