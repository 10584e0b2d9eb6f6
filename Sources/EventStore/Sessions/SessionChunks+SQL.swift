// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// The table `session_chunks`: stored parts of sessions, up to 512 of an app and a day of events in a row, in the order of subjects.
///
/// The order is that of signed integers, as SQLite compares keys.
extension DayDB {
    private static let partsPerChunk = 512

    /// The number through which the file's events are in `session_chunks`; nil if the file is older than that table or was never cut.
    package func sessionsThrough() throws -> Int64? {
        let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sessions_through'"
        guard try statement(exists).first(row: { _ in true }) == true else { return nil }
        return try statement("SELECT seq FROM sessions_through").first { $0.integer(0) }
    }

    /// Whether all events of the file are in `session_chunks`.
    package func hasAllSessions() throws -> Bool {
        guard let through = try sessionsThrough() else { return false }
        return try lastEvent() <= through
    }

    func keep(sessionsThrough seq: Int64) throws {
        try statement("INSERT OR REPLACE INTO sessions_through (one, seq) VALUES (1, ?)").run(.integer(seq))
    }

    /// The number of the newest event; 0 if there is none.
    func lastEvent() throws -> Int64 { try statement("SELECT max(seq) FROM events").first { $0.integer(0) } ?? 0 }

    /// Stores parts as new chunks.
    func add(_ entries: [SessionFold.Entry]) throws {
        let insert = try statement("INSERT INTO session_chunks (app, day, least, greatest, parts, words) VALUES (?, ?, ?, ?, ?, ?)")
        // Entries are large, so their places are sorted.
        let places = entries.indices.map { PartPlace(entries[$0], $0) }.sorted()
        var start = 0
        while start < places.count {
            let limit = min(start + Self.partsPerChunk, places.count)
            let end = places[start..<limit].firstIndex { !$0.isOfChunk(with: places[start]) } ?? limit
            let chunk = places[start..<end].map { entries[$0.place].part }
            try insert.run([.integer(places[start].app), .integer(Int64(places[start].day))] + Self.values(chunk[...]))
            start = end
        }
    }

    private static func values(_ chunk: ArraySlice<SessionPart>) -> [Value] {
        var words: [UInt64] = []
        words.reserveCapacity(chunk.count * SessionPart.words)
        for part in chunk { part.append(to: &words) }
        let subjects = [chunk.first, chunk.last].map { Value.key($0?.subject ?? 0) }
        return subjects + [.integer(Int64(chunk.count)), .words(words)]
    }

    /// Removes the parts of subjects of an app.
    func removeParts(of subjects: Set<UInt64>, app: AppID) throws {
        let find = try statement("SELECT number, words FROM session_chunks WHERE app = ? AND least <= ? AND greatest >= ?")
        let update = try statement("UPDATE session_chunks SET least = ?, greatest = ?, parts = ?, words = ? WHERE number = ?")
        let delete = try statement("DELETE FROM session_chunks WHERE number = ?")
        for subject in subjects {
            let chunks = try find.all(.integer(app.rawValue), .key(subject), .key(subject)) { ($0.integer(0), SessionPart.all(in: $0.words(1))) }
            for (number, parts) in chunks {
                let rest = parts.filter { !subjects.contains($0.subject) }
                if rest.count == parts.count { continue }
                if rest.isEmpty { try delete.run(.integer(number)) } else { try update.run(Self.values(rest[...]) + [.integer(number)]) }
            }
        }
    }

    /// Returns the chunks of an app that are stored now, on some days of events.
    package func chunks(app: AppID, days: ClosedRange<Day>) throws -> SessionChunks {
        try statement("SELECT ifnull(sum(parts), 0), ifnull(max(number), 0) FROM session_chunks WHERE app = ? AND day BETWEEN ? AND ?").first(
            .integer(app.rawValue), .integer(Int64(days.lowerBound.number)), .integer(Int64(days.upperBound.number))
        ) { SessionChunks(app: app, days: days, parts: $0.int(0), last: $0.integer(1)) } ?? SessionChunks(app: app, days: days, parts: 0, last: 0)
    }

    /// Returns the chunks of an app that are stored now.
    package func chunks(app: AppID) throws -> SessionChunks {
        try chunks(app: app, days: Day(number: .min)...Day(number: .max))
    }

    /// Returns the days of an app's events and aliases; nil if the file has events that are in no chunk.
    package func sessionExtent(of app: AppID) throws -> SessionExtent? {
        guard try hasAllSessions() else { return nil }
        let sql = "SELECT min(bucket), max(bucket) FROM rollups WHERE app = ? AND metric = ? AND grain = ?"
        var days: ClosedRange<Day>?
        for metric in [RollupMetric.events, .aliases, .withdrawn] {
            try statement(sql).each([.integer(app.rawValue), .integer(metric.rawValue), .integer(Grain.day.rawValue)]) { row in
                guard let least = row.optionalInteger(0), let greatest = row.optionalInteger(1) else { return }
                let (first, last) = (Day(number: Int32(truncatingIfNeeded: least)), Day(number: Int32(truncatingIfNeeded: greatest)))
                days = min(first, days?.lowerBound ?? first)...max(last, days?.upperBound ?? last)
            }
        }
        return SessionExtent(days: days)
    }

    /// Calls a closure with the parts in some chunks of the subjects in a range.
    package func eachPart(of chunks: SessionChunks, _ subjects: ClosedRange<Int64>, _ body: (SessionPart) -> Void) throws {
        let sql = "SELECT words FROM session_chunks WHERE app = ? AND day BETWEEN ? AND ? AND least <= ? AND greatest >= ? AND number <= ?"
        try statement(sql).each([
            .integer(chunks.app.rawValue), .integer(Int64(chunks.days.lowerBound.number)), .integer(Int64(chunks.days.upperBound.number)),
            .integer(subjects.upperBound), .integer(subjects.lowerBound), .integer(chunks.last),
        ]) { row in
            let words = row.words(0)
            for at in SessionPart.places(in: words) where subjects.contains(Int64(bitPattern: words[at])) {
                let part = SessionPart(words.span, at: at)
                if part.isPlausible { body(part) }
            }
        }
    }

    /// Returns the versions of an app's contexts by their numbers.
    package func versions(app: AppID) throws -> [UInt32: [UInt8]] {
        let rows = try statement("SELECT id, app_version FROM contexts WHERE app = ? AND app_version IS NOT NULL").all(.integer(app.rawValue)) {
            (UInt32(truncatingIfNeeded: $0.integer(0)), $0.bytes(1))
        }
        return Dictionary(rows) { $1 }
    }
}

/// The days of an app's events in a file; nil if it has none.
package struct SessionExtent: Sendable {
    package let days: ClosedRange<Day>?
}

/// The stored chunks of an app at a moment, on some days of events.
package struct SessionChunks: Sendable {
    fileprivate let app: AppID
    fileprivate let days: ClosedRange<Day>
    /// The number of parts.
    package let parts: Int
    /// The number of the last chunk.
    fileprivate let last: Int64
}

extension SessionPart {
    /// Returns the parts of a chunk, without damaged ones.
    package static func all(in words: [UInt64]) -> [SessionPart] {
        places(in: words).map { SessionPart(words.span, at: $0) }.filter(\.isPlausible)
    }

    /// The places of whole parts. A damaged row may end in the middle of one.
    fileprivate static func places(in words: [UInt64]) -> StrideThrough<Int> {
        stride(from: 0, through: words.count - SessionPart.words, by: SessionPart.words)
    }
}

/// The place of a part among entries, in the order in which parts are stored.
private struct PartPlace: Comparable {
    var app: Int64
    var day: Int32
    var subject: Int64
    var place: Int

    init(_ entry: SessionFold.Entry, _ place: Int) {
        (app, day, subject) = (entry.app, entry.part.day.number, Int64(bitPattern: entry.part.subject))
        self.place = place
    }

    func isOfChunk(with other: PartPlace) -> Bool { app == other.app && day == other.day }

    static func < (a: PartPlace, b: PartPlace) -> Bool {
        a.app != b.app ? a.app < b.app : a.day != b.day ? a.day < b.day : a.subject < b.subject
    }
}
