// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform

/// The metrics of the sender.
struct SenderMetrics: Sendable {
    private let attempts: MetricFamily<Counter>
    private let seconds: Histogram

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "signalbox_delivery_attempts_total", "Exchanges with receivers, by the answer's class or why there was none.", labels: ["result"])
        seconds = metrics.histogram(
            "signalbox_delivery_attempt_duration_seconds", "From the start of an exchange with a receiver to its end.", bounds: Histogram.seconds)
    }

    /// Registers gauges that are read when they are collected.
    func watch(_ metrics: Metrics, _ read: @escaping @Sendable () -> (inFlight: Int, held: Int, broken: Int)) {
        metrics.gauge("signalbox_deliveries_in_flight", "Exchanges with receivers that are under way.") { Double(read().inFlight) }
        metrics.gauge("signalbox_deliveries_held", "Deliveries claimed and not sent yet.") { Double(read().held) }
        metrics.gauge("signalbox_delivery_breakers_open", "Origins that are left alone because they are down.") { Double(read().broken) }
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
