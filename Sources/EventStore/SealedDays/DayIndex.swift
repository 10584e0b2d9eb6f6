// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The indexes of a day's file that is written no more: built when the day is over, for keys are random and a tree over them
/// would slow down every commit. Whoever asks looks first whether a file has them.
package enum DayIndex: String, CaseIterable, Sendable {
    /// The text behind a key.
    case ids = "ids_by_key"
    /// An app's events of one name, in the order of their numbers.
    case events = "events_by_name"

    fileprivate var columns: String {
        switch self {
        case .ids: "ids (key)"
        case .events: "events (app, name)"
        }
    }
}

extension DayDB {
    package func has(_ index: DayIndex) throws -> Bool {
        try statement("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?").first(.text(index.rawValue)) { _ in true } ?? false
    }

    func missingIndexes() throws -> [DayIndex] {
        try DayIndex.allCases.filter { try !has($0) }
    }

    func build(_ index: DayIndex) throws {
        try execute("CREATE INDEX \(index.rawValue) ON \(index.columns)")
    }
}
