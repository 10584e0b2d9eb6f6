// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

extension QueryContext {
    /// Returns the views of each screen by bucket, without views that name no screen.
    ///
    /// The roll-ups of a day have its first screens by name and all later ones together. A later screen may have more views than they, so
    /// for such days the events are read while they exist.
    func screens(_ buckets: TimeBuckets) throws -> (lines: [ExactText: SparseLine], source: ResultRange.Source) {
        let parts = try rollupParts(.screens, buckets, byWord: true)
        let crowded = Set(parts.days.filter { $0.sums.lines[.others] != nil }.map(\.day))
        let sums = parts.days.reduce(into: parts.history) { if !crowded.contains($1.day) { $0.add($1.sums) } }
        var lines = sums.counts
        if crowded.isEmpty { return (lines, .rollup) }
        guard mayReadRows else { throw RowsNeededError() }
        do {
            let read = try screens(of: crowded, buckets)
            for (screen, line) in read { lines[screen, default: SparseLine()].add(line) }
            return (lines, .raw)
        } catch is Refusal {
            // There are too many screens even for a scan. They are counted together.
            let all = parts.days.reduce(into: parts.history) { $0.add($1.sums) }
            return (all.counts, .rollup)
        }
    }

    /// Returns the views of each screen from the events of some files.
    private func screens(of days: Set<Day>, _ buckets: TimeBuckets) throws -> [ExactText: SparseLine] {
        let field = FieldPath.param("screen_name")
        var scan = EventScan(buckets, names: [EventKind.screenView.name], field: field)
        scan.columns = .time
        scan.days = days
        return try self.scan(scan, into: ValueCounts()) {
            $0.add($1, in: buckets, onlyWithValue: true)
        } joining: {
            try $0.add($1)
        }.named(field)
    }
}
