// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Compression
import Crashes
import Database
package import Platform
import SQLite

/// An attachment of a stored report, without its bytes.
package struct StoredAttachment: Sendable, Equatable {
    package var row: Int64
    /// The row of its report.
    package var crash: Int64
    package var name: String?
    package var kind: String
    package var contentType: String?
    package var size: Int
    package var state: AttachmentState
    package var received: Timestamp

    static let columns = "a.id, a.crash, a.name, a.kind, a.content_type, a.size, a.state, a.received"

    init(_ row: Row) {
        self.row = row.integer(0)
        crash = row.integer(1)
        name = row.optionalText(2)
        kind = row.text(3)
        contentType = row.optionalText(4)
        size = row.int(5)
        state = AttachmentState(rawValue: row.int(6)) ?? .evicted
        received = Timestamp(milliseconds: row.integer(7))
    }
}

extension CrashStore {
    /// Returns the attachments of some reports by the row of the report, in order of receipt.
    package func attachments(of crashes: [Int64]) async throws -> [Int64: [StoredAttachment]] {
        try await read { file in
            let find = try file.statement("SELECT \(StoredAttachment.columns) FROM attachments a WHERE a.crash = ? ORDER BY a.id")
            var found: [Int64: [StoredAttachment]] = [:]
            for crash in crashes {
                let items = try find.all(.integer(crash), row: StoredAttachment.init)
                if !items.isEmpty { found[crash] = items }
            }
            return found
        }
    }

    /// Returns an attachment of an app; its bytes are nil if they are not stored. Nil if there is no such attachment.
    package func attachment(_ row: Int64, app: AppID) async throws -> (attachment: StoredAttachment, bytes: [UInt8]?)? {
        try await read { file in
            try file.statement("SELECT \(StoredAttachment.columns), a.body FROM attachments a WHERE a.id = ? AND a.app = ?")
                .first(.integer(row), .integer(app.rawValue)) { row in (StoredAttachment(row), row.isNull(8) ? nil : row.bytes(8)) }
        }.map { attachment, body in
            (attachment, try body.map { try decompress($0, limit: CrashLimits.attachmentBytes) })
        }
    }

    /// Returns the newest stored attachment of a person before a row, with the ID of its report. Nil if there is none.
    package func attachment(
        of records: PersonRecords, before row: Int64
    ) async throws -> (attachment: StoredAttachment, report: StoredCrash, bytes: [UInt8])? {
        try await read(.large, seconds: 30) { file in
            let find = """
                SELECT \(StoredAttachment.columns), a.body FROM attachments a CROSS JOIN crashes c ON c.id = a.crash
                WHERE a.id < ? AND a.bytes > 0 AND \(records.keys.condition(on: "c.")) ORDER BY a.id DESC LIMIT 1
                """
            let found = try file.uncached(find).first(.integer(row)) { (StoredAttachment($0), $0.bytes(8)) }
            return try found.flatMap { attachment, body in
                try file.statement("\(StoredCrash.selection) WHERE c.id = ?").first(.integer(attachment.crash), row: StoredCrash.init)
                    .map { (attachment, $0, body) }
            }
        }.map { attachment, report, body in
            (attachment, report, try decompress(body, limit: CrashLimits.attachmentBytes))
        }
    }
}
