// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform

/// The metrics of the sender.
struct SenderMetrics: Sendable {
    private let attempts: MetricFamily<Counter>
    private let seconds: Histogram

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "signalbox_delivery_attempts_total", "Delivery attempts by status class or error.", labels: ["result"])
        seconds = metrics.histogram(
            "signalbox_delivery_attempt_duration_seconds", "Duration of a delivery attempt.", bounds: Histogram.seconds)
    }

    /// Registers gauges that are read when they are collected.
    func watch(_ metrics: Metrics, _ read: @escaping @Sendable () -> (inFlight: Int, held: Int, broken: Int)) {
        metrics.gauge("signalbox_deliveries_in_flight", "Delivery attempts in progress.") { Double(read().inFlight) }
        metrics.gauge("signalbox_deliveries_held", "Deliveries claimed but not sent yet.") { Double(read().held) }
        metrics.gauge("signalbox_delivery_breakers_open", "Origins with an open circuit breaker.") { Double(read().broken) }
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
