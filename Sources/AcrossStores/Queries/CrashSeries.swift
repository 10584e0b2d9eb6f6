// SPDX-License-Identifier: Apache-2.0

import Analytics
import CrashStore
import Crashes
import Events
import Platform

extension QueryContext {
    /// Counts fatal reports by bucket and, with a breakdown, by field.
    func countedCrashes(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        let breakdown = query.breakdown?.fields.compactMap(CrashField.init) ?? []
        let filters = query.filters.compactMap { filter in CrashField(filter.path).map { (field: $0, filter: filter.acceptingReleases) } }
        var counts = ValueCounts()
        func count(_ time: Int64, _ number: Int64 = 1, _ value: (CrashField) -> String?) throws {
            guard let bucket = buckets.index(of: Timestamp(milliseconds: time)) else { return }
            func bytes(_ field: CrashField) -> [UInt8]? { value(field).map { Array($0.utf8) } }
            guard filters.allSatisfy({ $0.filter.holds(bytes($0.field)) }) else { return }
            try counts.add(JoinedValues.text(breakdown.map(bytes)), at: bucket, count: number)
        }
        try session.withCrashes { file in
            try file.eachFatalMark(app: app, from: buckets.from, to: buckets.to) { mark in try count(mark.time) { mark[$0] } }
            guard query.needsOnlyRelease else { return }
            for past in try file.pastCrashes(app: app, from: buckets.from, to: buckets.to) where past.kind == .fatal {
                try count(past.time, Int64(past.count)) { $0 == .release ? past.release : nil }
            }
        }
        return CountedLine.ranked(counts.named(query.breakdown), like: query, buckets)
    }
}

extension SeriesQuery {
    /// Whether the query needs no field but the release. The counts of reports deleted by data retention have only that.
    fileprivate var needsOnlyRelease: Bool {
        ((breakdown?.fields ?? []) + filters.map(\.path)).allSatisfy { CrashField($0) == .release }
    }
}

extension CrashMark {
    fileprivate subscript(field: CrashField) -> String? {
        switch field {
        case .platform: platform
        case .release: release
        case .system: os
        case .device: device
        }
    }
}
