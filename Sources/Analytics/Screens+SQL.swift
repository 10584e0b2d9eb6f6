// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

extension QueryContext {
    /// Views of each screen by bucket, without those that name none.
    ///
    /// A day's roll-ups know its first screens by name and the others together. A later one may be viewed more than any of them, so where
    /// there are others the day's events are read instead, for as long as they are kept.
    func screens(_ buckets: TimeBuckets) throws -> (lines: [ExactText: SparseLine], source: AnswerRange.Source) {
        let parts = try rollupParts(.screens, buckets, byWord: true)
        let crowded = Set(parts.days.filter { $0.sums.lines[.others] != nil }.map(\.day))
        let sums = parts.days.reduce(into: parts.history) { if !crowded.contains($1.day) { $0.add($1.sums) } }
        var lines = sums.counts
        if crowded.isEmpty { return (lines, .rollup) }
        guard mayReadRows else { throw RowsAreNeeded() }
        do {
            let read = try screens(of: crowded, buckets)
            for (screen, line) in read { lines[screen, default: SparseLine()].add(line) }
            return (lines, .raw)
        } catch is Refusal {
            // Of too many even the events are not told apart.
            let all = parts.days.reduce(into: parts.history) { $0.add($1.sums) }
            return (all.counts, .rollup)
        }
    }

    /// The same from the events of some days' files.
    private func screens(of days: Set<Day>, _ buckets: TimeBuckets) throws -> [ExactText: SparseLine] {
        let field = FieldPath.param("screen_name")
        var scan = EventScan(buckets, names: [EventKind.screenView.name], field: field)
        scan.days = days
        return try self.scan(scan, into: ValueCounts()) { counts, event in
            guard let screen = event.value, let bucket = buckets.index(of: Timestamp(milliseconds: event.time)) else { return }
            try counts.add(screen, at: bucket)
        } joining: {
            try $0.add($1)
        }.named(field)
    }
}
