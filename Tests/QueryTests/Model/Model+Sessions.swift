// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    struct Session {
        var person: Person
        var first: Timestamp
        var length: Int64
        var isEngaged: Bool
        var hasCrash: Bool
        /// The value of the first matching event. Of several with the same time the least counts.
        var value: String?
    }

    func sessions(_ query: SessionsQuery) -> SessionsResult {
        let buckets = query.range.buckets
        let all = sessions(buckets, query.timeout, names: nil, query.filters, nil)
        let points = (0..<buckets.count).map { bucket in
            SessionsResult.Point(t: Moment(buckets.edges[bucket]), figures: figures(all.filter { buckets.index(of: $0.first) == bucket }))
        }
        return SessionsResult(points: points, total: figures(all))
    }

    private func figures(_ sessions: [Session]) -> SessionsResult.Figures {
        let people = Set(sessions.map(\.person)).count
        let engaged = sessions.count(where: \.isEngaged)
        let lengths = sessions.map(\.length)
        var figures = SessionsResult.Figures(lengths: [], users: people, engaged: engaged)
        figures.sessions = sessions.count
        figures.medianSeconds = seconds(lengths, 0.5) ?? 0
        figures.p90Seconds = seconds(lengths, 0.9) ?? 0
        figures.engagedShare = share(engaged, of: sessions.count)
        figures.perUser = share(sessions.count, of: people)
        return figures
    }

    /// Returns the sessions that start in a range and have a matching event. They are cut per installation, else user. Owners, who count, are
    /// those of the range. The UTC days of a day before and after are included.
    func sessions(
        _ buckets: TimeBuckets, _ timeout: Timestamp.Span, names: [String]?, _ filters: [Filter], _ field: FieldPath?, crashes: [LoggedEvent] = []
    ) -> [Session] {
        var owners = owners(buckets)
        owners.fill(from: Owners(crashes.filter { buckets.index(of: $0.time) != nil }) { rank(.user($0)) })
        let day = Day.milliseconds
        let from = Timestamp(milliseconds: (buckets.from.milliseconds - day).flooredQuotient(by: day) * day)
        let to = Timestamp(milliseconds: -(-buckets.to.milliseconds - day).flooredQuotient(by: day) * day)
        var subjects = Dictionary(grouping: stored(from: from, to: to).filter { owners.person(of: $0) != nil }) { $0.subject }
        let known = subjects.flatMap { subject, events in
            cut(events, timeout).compactMap { events in subject.map { Known(person: person(of: events, $0, owners), subject: $0, events: events) } }
        }
        for crash in crashes where from <= crash.time && crash.time < to && owners.person(of: crash) != nil {
            subjects[subject(of: crash, among: known, timeout), default: []].append(crash)
        }
        return subjects.flatMap { subject, events in
            cut(events, timeout).compactMap { events in
                // Crash reports match only queries without names and filters.
                let asked = events.filter { $0.isCrash ? names == nil && filters.isEmpty : passes($0, names: names, filters, owners) }
                guard let subject, let first = events.first, let last = events.last, buckets.index(of: first.time) != nil, let start = asked.first
                else { return nil }
                let values = asked.filter { $0.time == start.time }.compactMap { event in field.flatMap { value($0, of: event, owners) } }.filter {
                    $0 != "(none)"
                }
                return Session(
                    person: person(of: events, subject, owners), first: first.time, length: (last.time - first.time).milliseconds,
                    isEngaged: isEngaged(events, first, last),
                    hasCrash: events.contains(where: \.tellsOfCrash),
                    value: values.min { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            }
        }
    }

    /// A session of events, without crash reports.
    private struct Known {
        var person: Person
        var subject: Person
        var events: [LoggedEvent]

        var first: Timestamp { events[0].time }
        var last: Timestamp { events[events.count - 1].time }
    }

    /// Returns the subject of a crash report: its installation if that sent events; else, of the sessions of its user, that of the one it names
    /// or of the one that ended last of those that began before it; else its own.
    private func subject(of crash: LoggedEvent, among known: [Known], _ timeout: Timestamp.Span) -> Person? {
        if crash.installation != nil, known.contains(where: { $0.subject == crash.subject }) { return crash.subject }
        guard let user = crash.user else { return crash.subject }
        let hers = known.filter { $0.person == .user(user) }
        if let name = crash.session {
            return hers.filter { $0.events[0].session == name }.map(\.subject).min { rank($0) < rank($1) } ?? crash.subject
        }
        let before = hers.filter { $0.first <= crash.time }
        guard let last = before.max(by: { ($0.last, rank($1.subject)) < ($1.last, rank($0.subject)) }) else { return crash.subject }
        return crash.time - last.last < timeout ? last.subject : crash.subject
    }

    /// Returns the person that a session counts for: the user it names earliest, else the owner of its installation.
    private func person(of events: [LoggedEvent], _ subject: Person, _ owners: Owners) -> Person {
        let named = events.compactMap { event in event.user.map { (time: event.time.milliseconds, user: $0) } }
        if let first = named.min(by: { ($0.time, rank(.user($0.user))) < ($1.time, rank(.user($1.user))) }) { return .user(first.user) }
        return events.lazy.compactMap(owners.person).first ?? subject
    }

    func crashFree(_ query: CrashFreeQuery) -> CrashFreeResult {
        let buckets = query.range.buckets
        let all = sessions(buckets, query.timeout, names: nil, query.filters, .context(1), crashes: crashes)
        func points(_ sessions: [Session]) -> [CrashFreeResult.Point] {
            (0..<buckets.count).map { bucket in
                .init(t: Moment(buckets.edges[bucket]), figures: crashFree(sessions.filter { buckets.index(of: $0.first) == bucket }))
            }
        }
        let total = crashFree(all)
        var releases: [(name: String?, sessions: [Session])] = Set(all.map(\.value)).map { name in (name, all.filter { $0.value == name }) }
        // Ordered by frequency, then by name, with nil last.
        releases.sort { a, b in
            if a.sessions.count != b.sessions.count { return a.sessions.count > b.sessions.count }
            return a.name.map { first in b.name.map { first < $0 } ?? true } ?? false
        }
        let answers = releases.prefix(query.limit).map { release in
            CrashFreeResult.Release(release: release.name, total: crashFree(release.sessions), points: points(release.sessions), of: total)
        }
        return CrashFreeResult(points: points(all), total: total, releases: answers)
    }

    private func crashFree(_ sessions: [Session]) -> CrashFreeResult.Figures {
        let crashed = sessions.filter(\.hasCrash)
        return .init(
            sessions: sessions.count, crashedSessions: crashed.count, users: Set(sessions.map(\.person)).count,
            crashedUsers: Set(crashed.map(\.person)).count)
    }

    private func isEngaged(_ events: [LoggedEvent], _ first: LoggedEvent, _ last: LoggedEvent) -> Bool {
        last.time - first.time > .seconds(10) || events.count { $0.name == "screen_view" } >= 2
            || events.contains { ["purchase", "in_app_purchase"].contains($0.name) }
    }

    /// Cuts one person's events into sessions: by session ID, and without one after a gap of the timeout. A crash without a session ID and
    /// without a preceding event belongs to the one named session around it.
    private func cut(_ events: [LoggedEvent], _ timeout: Timestamp.Span) -> [[LoggedEvent]] {
        // Crashes sort last among events with the same time.
        let sorted = events.sorted { ($0.time, $0.tellsOfCrash ? 1 : 0) < ($1.time, $1.tellsOfCrash ? 1 : 0) }
        var named = Dictionary(grouping: sorted.filter { $0.session != nil }) { $0.session }
        let spans = named.mapValues { ($0[0].time, $0[$0.count - 1].time) }
        var sessions: [[LoggedEvent]] = []
        for event in sorted where event.session == nil {
            let around = spans.filter { $0.value.0 <= event.time && event.time - $0.value.1 < timeout }
            let newest = around.filter { one in !around.contains { $0.value.0 > one.value.0 } }
            if let last = sessions.last?.last, event.time - last.time < timeout {
                sessions[sessions.count - 1].append(event)
            } else if event.tellsOfCrash, newest.count == 1, let session = newest.keys.first {
                named[session, default: []].append(event)
            } else {
                sessions.append([event])
            }
        }
        return sessions + named.values.map { $0.sorted { $0.time < $1.time } }
    }
}

extension LoggedEvent {
    /// Whose sessions the event belongs to.
    fileprivate var subject: Person? { installation.map(Person.installation) ?? user.map(Person.user) }
    fileprivate var tellsOfCrash: Bool { isCrash || name == "session_crash" }
}

/// Returns a share rounded to four decimals; 0 if the whole is 0.
func share(_ part: Int, of whole: Int) -> Double {
    whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 10_000
}

/// Returns a quantile in seconds, interpolated linearly and rounded to milliseconds. Nil without values.
func seconds(_ numbers: [Int64], _ share: Double) -> Double? {
    let sorted = numbers.sorted()
    guard let last = sorted.last else { return nil }
    let place = share * Double(sorted.count - 1)
    let lower = Int(place)
    guard lower + 1 < sorted.count else { return Double(last) / 1_000 }
    let part = place - Double(lower)
    return (Double(sorted[lower]) * (1 - part) + Double(sorted[lower + 1]) * part).rounded() / 1_000
}
