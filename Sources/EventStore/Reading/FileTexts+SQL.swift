// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import SQLite

/// The texts of names and contexts in one file, by number. A cache of look-ups.
package final class FileTexts {
    private let file: DayDB
    private var names: [Int64: [UInt8]?] = [:]
    private var contexts: [Int64: [[UInt8]?]] = [:]
    /// The number of names and of contexts in memory at once. A context has up to 3 kB.
    private static let limit = 5_000

    package init(_ file: DayDB) {
        self.file = file
    }

    package func name(_ number: Int64) throws -> [UInt8]? {
        if let known = names[number] { return known }
        if names.count >= FileTexts.limit { names.removeAll(keepingCapacity: true) }
        let text = try file.statement("SELECT text FROM words WHERE id = ?").first(.integer(number)) { $0.bytes(0) }
        names[number] = .some(text)
        return text
    }

    /// Returns the fields of a context in the order of `EventContext.fields`.
    package func context(_ number: Int64) throws -> [[UInt8]?] {
        if let known = contexts[number] { return known }
        if contexts.count >= FileTexts.limit { contexts.removeAll(keepingCapacity: true) }
        let find = try file.statement("SELECT \(FileTexts.fields) FROM contexts WHERE id = ?")
        let fields = try find.first(.integer(number)) { row in
            (0..<EventContext.fields.count).map { row.isNull(Int32($0)) ? nil : row.bytes(Int32($0)) }
        }
        contexts[number] = fields ?? FileTexts.none
        return fields ?? FileTexts.none
    }

    private static let fields = EventContext.fields.joined(separator: ", ")
    private static let none = [[UInt8]?](repeating: nil, count: EventContext.fields.count)
}

extension DayDB {
    /// Returns the numbers of names in this file by their keys. Names that the file does not have are omitted.
    func nameNumbers(_ keys: some Sequence<UInt64>) throws -> Set<Int64> {
        let find = try statement("SELECT id FROM words WHERE key = ?")
        return Set(try keys.compactMap { try find.first(.key($0)) { $0.integer(0) } })
    }
}
