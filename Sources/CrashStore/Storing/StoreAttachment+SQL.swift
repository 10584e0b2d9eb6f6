// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

extension CrashFileContext {
    /// Stores an attachment of a stored report, or the reason why it is left out. A file that is sent again is a duplicate.
    ///
    ///     screen.png, 48 kB             stored
    ///     screen.png again              duplicate
    ///     trace.bin, 90 MB              a row with the state `tooLarge`, without bytes
    ///     the 31st file                 a row with the state `reportFull`; later ones are only counted
    ///     a file of an unknown report, or of one from which a person was removed   only counted
    func attach(_ attachment: NewAttachment) throws {
        let outcome = try store(attachment)
        ofThisChange.attachments[outcome, default: 0] += 1
    }

    private func store(_ attachment: NewAttachment) throws -> AttachmentOutcome {
        let find = try file.statement("SELECT id, flags FROM crashes WHERE app = ? AND key = ?")
        let report = try find.first(.integer(attachment.app), .key(attachment.report)) { ($0.integer(0), CrashFlags(rawValue: $0.int(1))) }
        guard let (crash, flags) = report, !flags.contains(.anonymized) else { return .withoutReport }
        let known = try file.attachmentSums(of: crash, digest: attachment.digest)
        if known.isDuplicate { return .duplicate }
        guard known.count <= CrashLimits.attachments else { return .reportFull }
        let isFull = known.count == CrashLimits.attachments || attachment.size > CrashLimits.attachmentBytesPerReport - known.size
        guard let body = attachment.body, !isFull else {
            let state: AttachmentState = attachment.body == nil && known.count < CrashLimits.attachments ? .tooLarge : .reportFull
            try insert(attachment, of: crash, state, body: nil)
            return state == .tooLarge ? .tooLarge : .reportFull
        }
        try insert(attachment, of: crash, .stored, body: body)
        sums.countAttachment(app: attachment.app, bytes: body.count, by: 1)
        return .stored
    }

    private func insert(_ attachment: NewAttachment, of crash: Int64, _ state: AttachmentState, body: [UInt8]?) throws {
        try file.statement(
            """
            INSERT INTO attachments (app, crash, name, kind, content_type, size, state, received, digest, bytes, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(attachment.app), .integer(crash), .text(attachment.name), .text(attachment.kind), .text(attachment.contentType),
            .integer(attachment.size), .integer(state.rawValue), .integer(now.milliseconds), .key(attachment.digest), .integer(body?.count ?? 0),
            body.map { .blob($0) } ?? .null)
    }
}

// MARK: - Removing

extension CrashFileContext {
    /// Removes the attachments of a report with its row.
    func removeAttachments(of crash: Int64) throws {
        for one in try file.attachmentBytes(of: crash) { sums.countAttachment(app: one.app, bytes: one.bytes, by: -1) }
        try file.statement("DELETE FROM attachments WHERE crash = ?").run(integers: [crash])
    }

    /// Removes names and bytes of a report's attachments. The rows state that there were some.
    func anonymizeAttachments(of crash: Int64) throws {
        for one in try file.attachmentBytes(of: crash) { sums.countAttachment(app: one.app, bytes: one.bytes, by: -1) }
        try file.statement(
            "UPDATE attachments SET name = NULL, state = \(sql: AttachmentState.anonymized), digest = 0, bytes = 0, body = NULL WHERE crash = ?"
        ).run(integers: [crash])
    }

    /// Evicts the oldest attachments of one app above its quota, down to 95 % of it. Returns false if none is above it.
    func evictAttachments() throws -> Bool {
        let quota = limits.attachmentBytesOfApp
        let over = try file.statement("SELECT app, attachment_bytes FROM stored WHERE attachment_bytes > ? LIMIT 1")
            .first(.integer(quota)) { ($0.integer(0), $0.integer(1)) }
        guard let (app, bytes) = over else { return false }
        var excess = bytes - (quota - quota / 20)
        let oldest = try file.statement(
            "SELECT id, bytes FROM attachments INDEXED BY attachments_to_evict WHERE app = ? AND bytes > 0 ORDER BY id LIMIT 100"
        ).all(.integer(app)) { ($0.integer(0), $0.int(1)) }
        let evict = try file.statement(
            "UPDATE attachments SET state = \(sql: AttachmentState.evicted), bytes = 0, body = NULL WHERE id = ?")
        for (id, bytes) in oldest where excess > 0 {
            try evict.run(integers: [id])
            sums.countAttachment(app: app, bytes: bytes, by: -1)
            excess -= Int64(bytes)
            ofThisChange.attachments[.evicted, default: 0] += 1
        }
        return !oldest.isEmpty
    }
}

extension CrashDB {
    fileprivate func attachmentSums(of crash: Int64, digest: UInt64) throws -> (count: Int, size: Int, isDuplicate: Bool) {
        try statement(
            """
            SELECT count(*), ifnull(sum(CASE WHEN state = \(sql: AttachmentState.stored) THEN size END), 0), ifnull(max(digest = ?), 0)
            FROM attachments WHERE crash = ?
            """
        ).first(.key(digest), .integer(crash)) { ($0.int(0), $0.int(1), $0.int(2) != 0) } ?? (0, 0, false)
    }

    fileprivate func attachmentBytes(of crash: Int64) throws -> [(app: Int64, bytes: Int)] {
        try statement("SELECT app, bytes FROM attachments WHERE crash = ? AND bytes > 0").all(.integer(crash)) { ($0.integer(0), $0.int(1)) }
    }
}
