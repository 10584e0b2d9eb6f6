// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import SQLite

extension FileDB {
    private static let uploadColumns = """
        id, app, path, blob, length, committed, owner, condition, sha256, crc32c, md5, claims, way, created, expires, \(FileDetails.columns)
        """

    private static func upload(_ row: Row) throws -> StoredUpload {
        guard let id = UploadID(row.bytes(0)), let path = FilePath(utf8: row.bytes(2)), let blob = BlobName(row.bytes(3)),
            let way = UploadWay(rawValue: row.text(12))
        else {
            throw FileStoreError.damaged
        }
        var request = UploadRequest(path, app: AppID(rawValue: row.integer(1)), length: row.optionalInteger(4))
        request.details = try FileDetails(row, from: 15)
        request.owner = row.optionalText(6)
        request.condition = FileCondition(column: row.optionalInteger(7))
        let crc32c = row.optionalInteger(9).map { UInt32(truncatingIfNeeded: $0) }
        request.expected = ExpectedSums(sha256: row.optionalBytes(8), crc32c: crc32c, md5: row.optionalBytes(10))
        return StoredUpload(
            id: id, request: request, claims: row.bytes(11), way: way, created: Timestamp(milliseconds: row.integer(13)),
            expires: Timestamp(milliseconds: row.integer(14)), committed: row.integer(5), blob: blob)
    }

    func add(_ upload: StoredUpload) throws {
        let (request, expected) = (upload.request, upload.request.expected)
        let marks = Array(repeating: "?", count: 21).joined(separator: ", ")
        try statement("INSERT INTO uploads (\(FileDB.uploadColumns)) VALUES (\(marks))").run(
            [
                .blob(upload.id.bytes), .integer(request.app.rawValue), .text(request.path?.text), .blob(upload.blob.bytes), .integer(request.length),
                .integer(upload.committed), .text(request.owner), .integer(request.condition.column), .blob(expected.sha256),
                .integer(expected.crc32c.map(Int64.init)), .blob(expected.md5), .blob(upload.claims), .text(upload.way.rawValue),
                .integer(upload.created.milliseconds), .integer(upload.expires.milliseconds),
            ] + request.details.values)
    }

    func upload(_ id: UploadID) throws -> StoredUpload? {
        try statement("SELECT \(FileDB.uploadColumns) FROM uploads WHERE id = ?").first(.blob(id.bytes), row: FileDB.upload)
    }

    /// Returns open uploads of an app, those of one owner together.
    func uploads(_ app: AppID, limit: Int) throws -> [StoredUpload] {
        try statement("SELECT \(FileDB.uploadColumns) FROM uploads WHERE app = ? ORDER BY owner LIMIT ?").all(
            .integer(app.rawValue), .integer(limit), row: FileDB.upload)
    }

    func uploads(of owner: String, app: AppID, limit: Int) throws -> [StoredUpload] {
        try statement("SELECT \(FileDB.uploadColumns) FROM uploads WHERE app = ? AND owner = ? LIMIT ?").all(
            .integer(app.rawValue), .text(owner), .integer(limit), row: FileDB.upload)
    }

    func expiredUploads(at now: Timestamp, atMost limit: Int) throws -> [StoredUpload] {
        try statement("SELECT \(FileDB.uploadColumns) FROM uploads WHERE expires <= ? ORDER BY expires LIMIT ?").all(
            .integer(now.milliseconds), .integer(limit), row: FileDB.upload)
    }

    func setOffset(_ offset: Int64, of id: UploadID, expires: Timestamp) throws {
        try statement("UPDATE uploads SET committed = ?, expires = ? WHERE id = ?").run(
            .integer(offset), .integer(expires.milliseconds), .blob(id.bytes))
    }

    /// Sets the end of an upload, unless it has a later one.
    func keep(_ id: UploadID, until expires: Timestamp) throws {
        try statement("UPDATE uploads SET expires = ?1 WHERE id = ?2 AND expires < ?1").run(.integer(expires.milliseconds), .blob(id.bytes))
    }

    func setLength(_ length: Int64, of id: UploadID) throws {
        try statement("UPDATE uploads SET length = ? WHERE id = ?").run(.integer(length), .blob(id.bytes))
    }

    func removeUpload(_ id: UploadID) throws { try statement("DELETE FROM uploads WHERE id = ?").run(.blob(id.bytes)) }
}
