// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// A count of a file that tells whether the file was copied to the history.
///
/// Data retention copies all counts of an app in a file or none.
struct SampleCount: Sendable {
    var app: AppID
    var day: Day
    var bucket: Int64
    var name: String
}

extension RollupMetric {
    var domain: KeyedHash.Domain { self == .screens ? .screen : .name }

    /// Whether words are currencies, which are numbers and not texts.
    var isMoney: Bool { self == .purchases || self == .refunds }

    func text(inHistory word: String) -> String {
        isMoney ? Int64(word).map(Currency.text) ?? word : word == "0" && self == .screens ? BreakdownName.other : word
    }
}

extension DayDB {
    func sampleCount(of app: AppID, _ day: Day) throws -> SampleCount? {
        try statement(
            "SELECT r.bucket, w.text FROM rollups r JOIN words w ON w.id = r.word WHERE r.app = ? AND r.metric = ? AND r.grain = ? LIMIT 1"
        ).first(.integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue)) {
            SampleCount(app: app, day: day, bucket: $0.integer(0), name: $0.text(1))
        }
    }
}

extension MainDB {
    /// Returns whether a file's counts are in the history although the file exists.
    ///
    /// Data retention copies them before it deletes the rows, and the process may end between the two. Counting both would count events
    /// twice.
    func isInHistory(_ sample: SampleCount) throws -> Bool {
        try statement("SELECT 1 FROM history WHERE app = ? AND metric = ? AND grain = ? AND bucket = ? AND word = ? AND source = ?").first(
            .integer(sample.app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(sample.bucket),
            .text(sample.name), .integer(Int64(sample.day.number))
        ) { _ in true } ?? false
    }
}

extension DayDB {
    func wordNumber(_ metric: RollupMetric, key: UInt64, text: String) throws -> Int64? {
        if metric.isMoney { return Currency.number(text) }
        return try statement("SELECT id FROM words WHERE key = ?").first(.key(key)) { $0.integer(0) }
    }

    func wordText(_ metric: RollupMetric, number: Int64) throws -> String {
        if metric.isMoney { return Currency.text(number) }
        if number == 0 { return BreakdownName.other }
        return try statement("SELECT text FROM words WHERE id = ?").first(.integer(number)) { $0.text(0) } ?? BreakdownName.other
    }
}
