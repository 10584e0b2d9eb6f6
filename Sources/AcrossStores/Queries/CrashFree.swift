// SPDX-License-Identifier: Apache-2.0

import Analytics
import CrashStore
import EventStore
package import Events
import Platform

extension QueryContext {
    package func crashFree(_ query: CrashFreeQuery) throws -> RangedResult<CrashFreeResult> {
        let buckets = query.range.buckets
        let crashes = try fatalCrashes(from: buckets.from - .days(1), to: buckets.to + .days(1))
        let (found, versions) = try sessions(
            in: buckets, timeout: query.timeout, names: nil, filters: query.filters, field: .context(1), crashes: crashes)
        let total = CrashFreeResult.Figures(found)
        let byRelease = Dictionary(grouping: found) { $0.value.map { ExactText(versions[Int($0)]) } }
        // Filters select sessions, not issues.
        let newIssues = query.filters.isEmpty ? try newIssues(in: buckets) : nil
        let releases: [CrashFreeResult.Release] = byRelease.sorted(by: rank).prefix(query.limit).map { release, sessions in
            var figures = CrashFreeResult.Release(
                release: release?.text, total: CrashFreeResult.Figures(sessions), points: points(sessions, buckets), of: total)
            figures.newIssues = newIssues.map { $0[release] ?? 0 }
            return figures
        }
        let result = CrashFreeResult(points: points(found, buckets), total: total, releases: releases)
        return RangedResult(ResultRange(query.range, source: .raw), result)
    }

    /// Orders releases by number of sessions, descending. Among equals, no release is last.
    private func rank(_ a: (key: ExactText?, value: [FoundSession]), _ b: (key: ExactText?, value: [FoundSession])) -> Bool {
        if a.value.count != b.value.count { return a.value.count > b.value.count }
        guard let first = a.key, let second = b.key else { return a.key != nil && b.key == nil }
        return first < second
    }

    private func points(_ sessions: [FoundSession], _ buckets: TimeBuckets) -> [CrashFreeResult.Point] {
        let byBucket = Dictionary(grouping: sessions, by: \.bucket)
        return (0..<buckets.count).map { .init(t: Moment(buckets.edges[$0]), figures: .init(byBucket[$0] ?? [])) }
    }

    private func newIssues(in buckets: TimeBuckets) throws -> [ExactText?: Int] {
        let counts = try session.withCrashes { try $0.newIssues(app: app, from: buckets.from, to: buckets.to) }
        return Dictionary(counts.map { ($0.release.map { ExactText($0) }, $0.count) }, uniquingKeysWith: +)
    }

    /// Returns the fatal crashes of a time range as events, with their release as the value.
    private func fatalCrashes(from: Timestamp, to: Timestamp) throws -> EventBatch {
        try session.withCrashes { file in
            var found = EventBatch()
            try file.eachFatalMark(app: app, from: from, to: to) { mark in
                try found.add(
                    time: mark.time, user: mark.user, installation: mark.installation, session: mark.session,
                    value: mark.release.map { Array($0.utf8) })
            }
            return found
        }
    }
}

extension CrashFreeResult.Figures {
    init(_ sessions: [FoundSession]) {
        let crashed = sessions.filter(\.hasCrash)
        self.init(
            sessions: sessions.count, crashedSessions: crashed.count, users: Set(sessions.map(\.person)).count,
            crashedUsers: Set(crashed.map(\.person)).count)
    }
}
