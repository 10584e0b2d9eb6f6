// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite
import SignalboxDocumentModel

/// A number of documents and the bytes of their bodies.
package struct DocumentSize: Sendable, Equatable {
    package var documents: Int
    package var bytes: Int64

    static let zero = DocumentSize(documents: 0, bytes: 0)

    static func + (a: DocumentSize, b: DocumentSize) -> DocumentSize {
        DocumentSize(documents: a.documents + b.documents, bytes: a.bytes + b.bytes)
    }

    static func - (a: DocumentSize, b: DocumentSize) -> DocumentSize {
        DocumentSize(documents: a.documents - b.documents, bytes: a.bytes - b.bytes)
    }
}

/// The change of a size since the end of a day of UTC some days ago.
package struct DocumentGrowth: Sendable, Equatable {
    package let days: Int
    /// Negative if documents were deleted.
    package let change: DocumentSize
}

/// The sizes of an app at the end of a day some days ago.
struct EarlierSizes {
    let days: Int
    let sizes: [ExactName: DocumentSize]

    /// The ID that stands for all small collections.
    static let others: ExactName = ""

    private var whole: DocumentSize { sizes.values.reduce(.zero, +) }

    func growth(to whole: DocumentSize) -> DocumentGrowth { DocumentGrowth(days: days, change: whole - self.whole) }

    /// Returns nil for collections that may have been among the small ones.
    func growth(to now: DocumentStatistics.Collections) -> DocumentGrowth? {
        guard let size = sizes[ExactName(now.id)] ?? (sizes[Self.others] == .zero ? .zero : nil) else { return nil }
        return DocumentGrowth(days: days, change: now.size - size)
    }
}

extension DocumentStore {
    private static let sizesKeptDays = 90

    /// Writes the sizes of an app's collections as those of today, if they changed, and removes those beyond the app's retention. A reader adds
    /// them up, so that commits do not wait for it. Returns the number of rows removed.
    func noteSizes(of app: App) async throws -> Int {
        let today = Day(of: clock.now())
        let (sizes, known) = try await read(app.id, at: nil) { try ($0.file.newestSizes(of: app.id), $0.file.sizes(of: app.id, on: today)) }
        if known == sizes { return 0 }
        let oldest = Day(number: today.number - Int32(min(app.settings.retentionDays, Self.sizesKeptDays)))
        return try await change(app.id) { [directory] context in
            guard directory.now.apps[app.id] != nil else { return 0 }
            return try context.file.replaceSizes(of: app.id, on: today, by: sizes, keepingFrom: oldest)
        }
    }
}

extension DocumentDB {
    private static let collectionsListed = 100
    private static let growthDays = [1, 7, 30]

    /// The size of an app's documents, without their entries in indexes and the log of changes.
    package func size(of app: AppID) throws -> DocumentSize {
        try statement("SELECT sum(documents), sum(bytes) FROM collections WHERE app = ?").first(.integer(app.rawValue)) {
            DocumentSize(documents: $0.int(0), bytes: $0.integer(1))
        } ?? .zero
    }

    /// Returns the collections with most bytes, those with an ID as one.
    func largestGroups(of app: AppID) throws -> [DocumentStatistics.Collections] {
        try statement(
            """
            SELECT grp, count(*), sum(documents), sum(bytes) FROM collections WHERE app = ? AND documents > 0
            GROUP BY grp ORDER BY 4 DESC, 1 LIMIT ?
            """
        ).all(.integer(app.rawValue), .integer(Int64(Self.collectionsListed))) { row in
            DocumentStatistics.Collections(
                id: row.text(0), collections: row.int(1), size: DocumentSize(documents: row.int(2), bytes: row.integer(3)))
        }
    }

    /// Returns the sizes now as they are stored; none for an app without documents that never had sizes.
    fileprivate func newestSizes(of app: AppID) throws -> [ExactName: DocumentSize] {
        let groups = try largestGroups(of: app)
        let hadSizes = try statement("SELECT 1 FROM sizes WHERE app = ? LIMIT 1").first(.integer(app.rawValue)) { $0.int(0) } != nil
        if groups.isEmpty, !hadSizes { return [:] }
        var sizes = Dictionary(uniqueKeysWithValues: groups.map { (ExactName($0.id), $0.size) })
        sizes[EarlierSizes.others] = try size(of: app) - sizes.values.reduce(.zero, +)
        return sizes
    }

    fileprivate func sizes(of app: AppID, on day: Day) throws -> [ExactName: DocumentSize] {
        let rows = try statement("SELECT grp, documents, bytes FROM sizes WHERE app = ? AND day = ?").all(
            .integer(app.rawValue), .integer(Int64(day.number))
        ) { (ExactName($0.text(0)), DocumentSize(documents: $0.int(1), bytes: $0.integer(2))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Replaces the sizes of a day, and those that a wrong clock gave to later days. Returns the number of rows of old days that were removed.
    fileprivate func replaceSizes(of app: AppID, on day: Day, by sizes: [ExactName: DocumentSize], keepingFrom oldest: Day) throws -> Int {
        try statement("DELETE FROM sizes WHERE app = ? AND day >= ?").run(integers: [app.rawValue, Int64(day.number)])
        for (id, size) in sizes {
            try statement("INSERT INTO sizes (app, day, grp, documents, bytes) VALUES (?, ?, ?, ?, ?)").run(
                .integer(app.rawValue), .integer(Int64(day.number)), .text(id.text), .integer(Int64(size.documents)), .integer(size.bytes))
        }
        try statement("DELETE FROM sizes WHERE app = ? AND day < ?").run(integers: [app.rawValue, Int64(oldest.number)])
        return changes
    }

    /// Returns the sizes at the ends of the days with which a growth begins, as far as there are any. A day without sizes, on which the daemon
    /// did not run, has those of the day before.
    func earlierSizes(of app: AppID, before today: Day) throws -> [EarlierSizes] {
        try Self.growthDays.compactMap { days in
            let newest = try statement("SELECT day FROM sizes WHERE app = ? AND day <= ? ORDER BY day DESC LIMIT 1").first(
                .integer(app.rawValue), .integer(Int64(today.number) - Int64(days))
            ) { Day(number: Int32($0.integer(0))) }
            return try newest.map { EarlierSizes(days: days, sizes: try sizes(of: app, on: $0)) }
        }
    }

    /// Returns the sizes of the whole app at the ends of earlier days, oldest first.
    func daySizes(of app: AppID, before today: Day) throws -> [(day: Day, size: DocumentSize)] {
        try statement("SELECT day, sum(documents), sum(bytes) FROM sizes WHERE app = ? AND day < ? GROUP BY day ORDER BY day").all(
            .integer(app.rawValue), .integer(Int64(today.number))
        ) { (Day(number: Int32($0.integer(0))), DocumentSize(documents: $0.int(1), bytes: $0.integer(2))) }
    }

    func removeSizes(ofApp app: Int64) throws -> Int {
        try statement("DELETE FROM sizes WHERE app = ?").run(integers: [app])
        return changes
    }

    /// Adds the sizes of collections whose ID is that of a person, or has it, to those of the small ones.
    func removeSizes(namedLike person: String, app: AppID) throws {
        let ids = try statement("SELECT DISTINCT grp FROM sizes WHERE app = ?").all(.integer(app.rawValue)) { $0.text(0) }
        for id in ids where id.isNamed(like: person) {
            try statement(
                """
                UPDATE sizes SET documents = sizes.documents + named.documents, bytes = sizes.bytes + named.bytes FROM sizes AS named
                WHERE sizes.app = ? AND sizes.grp = '' AND named.app = sizes.app AND named.day = sizes.day AND named.grp = ?
                """
            ).run(.integer(app.rawValue), .text(id))
            try statement("DELETE FROM sizes WHERE app = ? AND grp = ?").run(.integer(app.rawValue), .text(id))
        }
    }
}
