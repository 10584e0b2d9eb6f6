// SPDX-License-Identifier: Apache-2.0

import Database
package import Files
package import Platform
import SQLite

extension FileDB {
    static let objectColumns = """
        path, blob, content, size, sha256, crc32c, md5, generation, metageneration, tokens, owner, created, updated, \(FileDetails.columns)
        """

    /// Reads a row with the columns `objectColumns`.
    static func file(_ row: Row, app: AppID) throws -> StoredFile {
        guard let path = FilePath(utf8: row.bytes(0)) else { throw FileStoreError.damaged }
        let blob = row.isNull(1) ? nil : BlobName(row.bytes(1))
        guard let place = blob.map(StoredFile.Place.blob) ?? row.optionalInteger(2).map(StoredFile.Place.row) else { throw FileStoreError.damaged }
        return StoredFile(
            app: app, path: path, place: place, size: row.integer(3), details: try FileDetails(row, from: 13),
            sums: FileSums(sha256: row.bytes(4), crc32c: UInt32(truncatingIfNeeded: row.integer(5)), md5: row.optionalBytes(6)),
            generation: row.integer(7), metageneration: row.integer(8), tokens: row.optionalText(9), owner: row.optionalText(10),
            created: Timestamp(milliseconds: row.integer(11)), updated: Timestamp(milliseconds: row.integer(12)))
    }

    package func file(_ path: FilePath, app: AppID) throws -> StoredFile? {
        try statement("SELECT \(FileDB.objectColumns) FROM objects WHERE app = ? AND path = ?").first(.integer(app.rawValue), .text(path.text)) {
            try FileDB.file($0, app: app)
        }
    }

    /// The values of the columns `objectColumns`.
    static func values(of file: StoredFile) -> [Value] {
        let (blob, content): (Value, Value) =
            switch file.place {
            case .blob(let name): (.blob(name.bytes), .null)
            case .row(let number): (.null, .integer(number))
            }
        return [
            .text(file.path.text), blob, content, .integer(file.size), .blob(file.sums.sha256), .integer(Int64(file.sums.crc32c)),
            .blob(file.sums.md5), .integer(file.generation), .integer(file.metageneration), .text(file.tokens), .text(file.owner),
            .integer(file.created.milliseconds), .integer(file.updated.milliseconds),
        ] + file.details.values
    }

    /// Adds a file, or replaces the one with its path.
    func put(_ file: StoredFile) throws {
        let marks = Array(repeating: "?", count: 20).joined(separator: ", ")
        try statement("INSERT OR REPLACE INTO objects (app, \(FileDB.objectColumns)) VALUES (\(marks))").run(
            [.integer(file.app.rawValue)] + FileDB.values(of: file))
    }

    func removeFile(_ path: FilePath, app: AppID) throws {
        try statement("DELETE FROM objects WHERE app = ? AND path = ?").run(.integer(app.rawValue), .text(path.text))
    }

    // MARK: Bytes

    /// Stores the bytes of a small file and returns their number.
    func addContents(_ bytes: [UInt8]) throws -> Int64 {
        try statement("INSERT INTO contents (bytes) VALUES (?)").run(.blob(bytes))
        return lastInsertedRow
    }

    func contents(_ number: Int64) throws -> [UInt8]? {
        try statement("SELECT bytes FROM contents WHERE number = ?").first(.integer(number)) { $0.bytes(0) }
    }

    func removeContents(_ number: Int64) throws { try statement("DELETE FROM contents WHERE number = ?").run(.integer(number)) }

    // MARK: Files on the disk

    /// Whether a file or an upload has these bytes, or they wait for their removal.
    func knows(_ blob: BlobName) throws -> Bool {
        try statement(
            """
            SELECT EXISTS (SELECT 1 FROM objects WHERE blob = ?1) OR EXISTS (SELECT 1 FROM uploads WHERE blob = ?1)
                OR EXISTS (SELECT 1 FROM leaving WHERE blob = ?1) OR EXISTS (SELECT 1 FROM pending WHERE blob = ?1)
            """
        ).first(.blob(blob.bytes)) { $0.int(0) == 1 } ?? false
    }

    /// Whether a file has these bytes, be it one that waits.
    func hasFile(_ blob: BlobName) throws -> Bool {
        try statement("SELECT EXISTS (SELECT 1 FROM objects WHERE blob = ?1) OR EXISTS (SELECT 1 FROM pending WHERE blob = ?1)").first(
            .blob(blob.bytes)
        ) { $0.int(0) == 1 } ?? false
    }

    /// Calls a closure with each file on the disk and its sum, in the order of apps and paths; those that wait come last.
    package func eachBlob(_ body: (AppID, BlobName, Int64, [UInt8]) throws -> Void) throws {
        for table in ["objects", "pending"] {
            try statement("SELECT app, blob, size, sha256 FROM \(table) WHERE blob IS NOT NULL ORDER BY app, path").each([]) { row in
                guard let name = BlobName(row.bytes(1)) else { throw FileStoreError.damaged }
                try body(AppID(rawValue: row.integer(0)), name, row.integer(2), row.bytes(3))
            }
        }
    }

    /// Marks a file for its removal; of app 0 one in `incoming`.
    func leave(_ blob: BlobName, app: AppID) throws {
        try statement("INSERT OR IGNORE INTO leaving (blob, app) VALUES (?, ?)").run(.blob(blob.bytes), .integer(app.rawValue))
        try countLeaving(changes)
    }

    private func countLeaving(_ more: Int) throws {
        try statement("UPDATE meta SET value = value + ? WHERE key = 'leaving'").run(.integer(more))
    }

    func leaving(atMost limit: Int) throws -> [LeavingBlob] {
        try statement("SELECT app, blob FROM leaving LIMIT ?").all(.integer(limit)) { row in
            BlobName(row.bytes(1)).map { LeavingBlob(app: AppID(rawValue: row.integer(0)), name: $0) }
        }.compactMap(\.self)
    }

    func leavingCount() throws -> Int { try statement("SELECT value FROM meta WHERE key = 'leaving'").first { $0.int(0) } ?? 0 }

    func forgetLeaving(_ blobs: [LeavingBlob]) throws {
        let delete = try statement("DELETE FROM leaving WHERE blob = ?")
        for blob in blobs {
            try delete.run(.blob(blob.name.bytes))
            try countLeaving(-changes)
        }
    }
}

/// A file on the disk without a row, which is to be removed.
struct LeavingBlob: Hashable, Sendable {
    /// The app of the folder `incoming`.
    static let incoming = AppID(rawValue: 0)

    var app: AppID
    var name: BlobName
}
