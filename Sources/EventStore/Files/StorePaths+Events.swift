// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform

extension StorePaths {
    package var main: String { root + "/main.db" }
    package var events: String { root + "/events" }

    package func file(of day: Day) -> String { "\(events)/\(day.text).db" }

    /// The path of a run.
    ///
    /// Example: `events/2026-11-25.ids.1-9.run` has the event IDs of rows 1 to 9 of `seen`.
    func run(of day: Day, _ kind: DedupeKind, rows: ClosedRange<Int64>) -> String {
        "\(events)/\(day.text).\(kind.fileWord).\(rows.lowerBound)-\(rows.upperBound).run"
    }

    /// The days with a file, oldest first.
    package func days() throws(FileError) -> [Day] {
        try Folder.names(in: events).compactMap { $0.hasSuffix(".db") ? Day(text: $0.dropLast(3)) : nil }
    }

    /// The paths of a day's runs.
    func runs(of day: Day, _ kind: DedupeKind) throws(FileError) -> [String] {
        let prefix = "\(day.text).\(kind.fileWord)."
        return try Folder.names(in: events).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".run") }.map { "\(events)/\($0)" }
    }

    /// Unfinished runs, and runs whose day is gone because data retention removed it during a merge.
    func strayRuns() throws(FileError) -> [String] {
        let days = Set(try days().map(\.text))
        return try Folder.names(in: events).filter { name in
            name.hasSuffix(".run.draft") || name.hasSuffix(".run") && !days.contains(String(name.prefix { $0 != "." }))
        }.map { "\(events)/\($0)" }
    }
}

/// The kinds of keys that are deduplicated.
enum DedupeKind: Int64, CaseIterable, Sendable {
    case ids = 0
    case transactions = 1

    var fileWord: String {
        switch self {
        case .ids: "ids"
        case .transactions: "transactions"
        }
    }
}
