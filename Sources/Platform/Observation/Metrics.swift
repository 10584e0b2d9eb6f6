// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The metrics of this process, in order of declaration.
///
/// A metric is declared once at start. An invalid or duplicate name is a programming error and traps.
package final class Metrics: Sendable {
    private struct Entry: Sendable {
        var name: String
        var write: @Sendable (inout Exposition) -> Void
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// Declares a counter; its name ends in `_total`.
    package func counter(_ name: String, _ help: String) -> Counter {
        counters(name, help, labels: [])()
    }

    package func counters(_ name: String, _ help: String, labels: [String]) -> MetricFamily<Counter> {
        precondition(name.hasSuffix("_total"), "a counter's name ends in _total: \(name)")
        return family(name, help, "counter", labels) { Counter() }
    }

    /// Declares a gauge.
    package func gauge(_ name: String, _ help: String) -> Gauge {
        gauges(name, help, labels: [])()
    }

    package func gauges(_ name: String, _ help: String, labels: [String]) -> MetricFamily<Gauge> {
        family(name, help, "gauge", labels) { Gauge() }
    }

    /// Declares a histogram with ascending bounds.
    package func histogram(_ name: String, _ help: String, bounds: [Double]) -> Histogram {
        histograms(name, help, bounds: bounds, labels: [])()
    }

    package func histograms(_ name: String, _ help: String, bounds: [Double], labels: [String]) -> MetricFamily<Histogram> {
        precondition(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "the bounds of \(name) rise")
        return family(name, help, "histogram", labels) { Histogram(bounds: bounds) }
    }

    /// Declares a gauge that is read on export.
    package func gauge(_ name: String, _ help: String, read: @escaping @Sendable () -> Double) {
        gauges(name, help, labels: []) { [([], read())] }
    }

    /// Declares a counter that is read on export.
    package func counter(_ name: String, _ help: String, read: @escaping @Sendable () -> Int) {
        precondition(name.hasSuffix("_total"), "a counter's name ends in _total: \(name)")
        register(name) { out in
            out.header(name, help, "counter")
            out.sample(name, [], Double(read()))
        }
    }

    /// Declares gauges that are read on export, with the values of `labels` in their order.
    package func gauges(_ name: String, _ help: String, labels: [String], read: @escaping @Sendable () -> [([String], Double)]) {
        register(name) { out in
            out.header(name, help, "gauge")
            for (values, value) in read() { out.sample(name, zip(labels, values).map { ($0, $1) }, value) }
        }
    }

    /// The Prometheus text format, version 0.0.4.
    package func exposition() -> [UInt8] {
        var out = Exposition()
        // Outside the lock, because a callback may be slow or take a lock.
        for entry in entries.withLock({ $0 }) { entry.write(&out) }
        return out.bytes
    }

    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private func family<Series: MetricSeries>(
        _ name: String, _ help: String, _ type: String, _ labels: [String], make: @escaping @Sendable () -> Series
    ) -> MetricFamily<Series> {
        precondition(labels.allSatisfy(Metrics.isName), "a label of \(name) is no name")
        let family = MetricFamily(labels: labels, make: make)
        register(name) { out in
            out.header(name, help, type)
            family.write(name, to: &out)
        }
        return family
    }

    private func register(_ name: String, write: @escaping @Sendable (inout Exposition) -> Void) {
        precondition(Metrics.isName(name), "no name for a metric: \(name)")
        entries.withLock { entries in
            precondition(!entries.contains { $0.name == name }, "\(name) is declared twice")
            entries.append(Entry(name: name, write: write))
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
            && !(name.first?.isNumber ?? true)
    }
}
