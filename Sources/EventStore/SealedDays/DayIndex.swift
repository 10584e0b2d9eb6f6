// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The indexes of a sealed day's file, built when the day ends.
///
/// Keys are random, so maintaining a B-tree while events arrive would slow down every commit. A query checks whether a file has an index:
///
///     open day      texts(of: [u])    one scan of `ids`
///     sealed day    texts(of: [u])    one lookup in `ids_by_key`
package enum DayIndex: String, CaseIterable, Sendable {
    /// Texts by key.
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
    /// Returns whether the file has an index.
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
