// SPDX-License-Identifier: Apache-2.0

import Events

typealias SeriesQuery = DaemonQuery<QueryAnswer<SeriesAnswer>>
typealias TopQuery = DaemonQuery<QueryAnswer<TopAnswer>>

/// What is counted: a metric, of all events or of some.
struct MetricSelection: Hashable, Sendable {
    var metric = QueryMetric.events
    var event: String?
    /// As the daemon takes it.
    var filter: String?

    private var parameters: [(String, String)] {
        [("metric", metric.rawValue), ("event", event), ("filter", filter)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// Bucket by bucket; with a field, a series for each of its values that count most.
    func series(_ name: String, _ range: ViewRange, by field: String? = nil, limit: Int = 10) -> SeriesQuery {
        series(name, from: range.from, to: nil, range, by: field, limit)
    }

    /// The buckets that are over.
    func over(_ name: String, _ range: ViewRange, by field: String?, limit: Int) -> SeriesQuery {
        series(name, from: range.over.now.from, to: range.over.now.to, range, by: field, limit)
    }

    /// Just as many buckets before.
    func before(_ name: String, _ range: ViewRange, by field: String?, limit: Int) -> SeriesQuery {
        series(name, from: range.over.before.from, to: range.over.before.to, range, by: field, limit)
    }

    private func series(_ name: String, from: String, to: String?, _ range: ViewRange, by field: String?, _ limit: Int) -> SeriesQuery {
        let times = [("from", from), ("interval", range.interval)] + (to.map { [("to", $0)] } ?? [])
        let parts = field.map { [("breakdown", $0), ("limit", "\(limit)")] } ?? []
        return DaemonQuery(name, "/v1/query/series", parameters + times + parts, every: to == nil && isQuick(field) ? 2 : 10)
    }

    /// The values of a field that count most in the whole range.
    func top(_ name: String, of field: String, _ range: ViewRange, limit: Int) -> TopQuery {
        let asked = [("field", field), ("from", range.from), ("limit", "\(limit)")]
        return DaemonQuery(name, "/v1/query/top", parameters + asked, every: isQuick(field) ? 2 : 10)
    }

    /// Whether it was counted as events came in, so that asking costs little.
    private func isQuick(_ field: String?) -> Bool {
        [.events, .screenViews].contains(metric) && filter == nil && [nil, "name", "params.screen_name"].contains(field)
    }
}
