// SPDX-License-Identifier: Apache-2.0

package import Events

typealias SeriesQuery = DaemonQuery<RangedResult<SeriesResult>>
typealias TopQuery = DaemonQuery<RangedResult<TopResult>>

/// A metric, and the events that it counts.
struct MetricSelection: Hashable, Sendable {
    var metric = QueryMetric.events
    var event: String?
    /// A condition in the daemon's syntax.
    var filter: String?

    private var parameters: [(String, String)] {
        [("metric", metric.text), ("event", event), ("filter", filter)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The series of the range; with a field, one for each of its most frequent values.
    func series(_ name: String, _ range: ViewRange, by field: String? = nil, limit: Int = 10) -> SeriesQuery {
        series(name, from: range.from, to: nil, range, by: field, limit)
    }

    /// The complete buckets of the range.
    func over(_ name: String, _ range: ViewRange, by field: String?, limit: Int) -> SeriesQuery {
        series(name, from: range.over.now.from, to: range.over.now.to, range, by: field, limit)
    }

    /// The same number of buckets before them.
    func before(_ name: String, _ range: ViewRange, by field: String?, limit: Int) -> SeriesQuery {
        series(name, from: range.over.before.from, to: range.over.before.to, range, by: field, limit)
    }

    private func series(_ name: String, from: String, to: String?, _ range: ViewRange, by field: String?, _ limit: Int) -> SeriesQuery {
        let times = [("from", from), ("interval", range.interval)] + (to.map { [("to", $0)] } ?? [])
        let parts = field.map { [("breakdown", $0), ("limit", "\(limit)")] } ?? []
        return DaemonQuery(name, "/v1/query/series", parameters + times + parts, every: to == nil && isQuick(field) ? 2 : 10)
    }

    /// The most frequent values of a field in the range.
    func top(_ name: String, of field: String, _ range: ViewRange, limit: Int) -> TopQuery {
        let own = [("field", field), ("from", range.from), ("interval", range.interval), ("limit", "\(limit)")]
        return DaemonQuery(name, "/v1/query/top", parameters + own, every: isQuick(field) ? 2 : 10)
    }

    /// Whether the daemon answers from counters, so that the query is cheap.
    private func isQuick(_ field: String?) -> Bool {
        [.events, .screenViews].contains(metric) && filter == nil && [nil, "name", "params.screen_name"].contains(field)
    }
}

extension SeriesResult.Value {
    package var number: Double { known ?? 0 }

    /// The number; nil for the figure of no numbers, which charts show as a gap.
    package var known: Double? {
        switch self {
        case .count(let count): Double(count)
        case .money(let millionths): Double(millionths) / 1_000_000
        case .number(let number): number
        case .missing: nil
        }
    }
}
