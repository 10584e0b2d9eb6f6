// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The series of a metric, one for each combination of label values.
///
/// Keep the series instead of looking it up where counting is frequent.
package final class MetricFamily<Series: MetricSeries>: Sendable {
    /// The limit of combinations; further ones are counted as `other`, so that labels cannot exhaust the memory.
    package static var most: Int { 200 }

    private let labels: [String]
    private let make: @Sendable () -> Series
    private let series = Mutex<[[String]: Series]>([:])

    init(labels: [String], make: @escaping @Sendable () -> Series) {
        self.labels = labels
        self.make = make
    }

    /// Returns the series with these label values, in the order of the declared labels.
    package func callAsFunction(_ values: String...) -> Series {
        precondition(values.count == labels.count, "\(labels) need as many values")
        return series.withLock { series in
            if let known = series[values] { return known }
            let key = series.count < Self.most ? values : labels.map { _ in "other" }
            if let other = series[key] { return other }
            let new = make()
            series[key] = new
            return new
        }
    }

    func write(_ name: String, to out: inout Exposition) {
        let sorted = series.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (values, series) in sorted {
            series.write(name, zip(labels, values).map { ($0, $1) }, to: &out)
        }
    }
}

/// A metric that writes its own lines.
package protocol MetricSeries: Sendable {
    func write(_ name: String, _ labels: [(String, String)], to out: inout Exposition)
}

package final class Counter: MetricSeries {
    private let count = Atomic<UInt64>(0)

    package func add(_ amount: Int = 1) {
        count.wrappingAdd(UInt64(max(amount, 0)), ordering: .relaxed)
    }

    package var value: UInt64 { count.load(ordering: .relaxed) }

    package func write(_ name: String, _ labels: [(String, String)], to out: inout Exposition) {
        out.sample(name, labels, Double(value))
    }
}

package final class Gauge: MetricSeries {
    private let number = AtomicDouble()

    package func set(_ value: Double) {
        number.set(value)
    }

    package func add(_ difference: Double) {
        number.add(difference)
    }

    package var value: Double { number.value }

    package func write(_ name: String, _ labels: [(String, String)], to out: inout Exposition) {
        out.sample(name, labels, value)
    }
}

package final class Histogram: MetricSeries {
    private let bounds: [Double]
    /// Bucket counts; the last one is above all bounds.
    private let buckets: [Counter]
    private let sum = AtomicDouble()

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    package func observe(_ value: Double) {
        // A linear search of a dozen bounds is faster than a binary one.
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].add()
        sum.add(value)
    }

    /// The mean of all observations; 0 without any.
    package var mean: Double {
        let count = buckets.reduce(0) { $0 + $1.value }
        return count == 0 ? 0 : sum.value / Double(count)
    }

    /// An estimated quantile of all observations, interpolated linearly in its bucket and at most the last bound; 0 without any.
    package func quantile(_ share: Double) -> Double {
        let counts = buckets.map { Double($0.value) }
        var rest = share * counts.reduce(0, +)
        for (index, count) in counts.enumerated() where count > 0 {
            guard index < bounds.count else { break }
            let start = index == 0 ? 0 : bounds[index - 1]
            if rest <= count { return start + (bounds[index] - start) * max(0, rest) / count }
            rest -= count
        }
        return counts.contains { $0 > 0 } ? bounds.last ?? 0 : 0
    }

    package func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    package func write(_ name: String, _ labels: [(String, String)], to out: inout Exposition) {
        // Read once, so that the count equals the sum of the buckets during concurrent observations.
        let counts = buckets.map { Double($0.value) }
        var below = 0.0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            below += count
            out.sample("\(name)_bucket", labels + [("le", Exposition.text(bound))], below)
        }
        out.sample("\(name)_sum", labels, sum.value)
        out.sample("\(name)_count", labels, below)
    }

    /// Bounds from 0.1 ms to 10 s, for commits and requests.
    package static let seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

/// A floating-point number that several threads may add to.
private final class AtomicDouble: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ difference: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + difference).bitPattern
            let (exchanged, current) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = current
        }
    }
}
