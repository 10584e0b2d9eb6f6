// SPDX-License-Identifier: Apache-2.0

import Compression
import Crashes
import Platform

/// The state of an attachment, in the column `state`.
package enum AttachmentState: Int, StoredWord {
    case stored = 1
    /// Left out because it exceeds `crashes.attachment_bytes` or what a request may have.
    case tooLarge
    /// Left out because the report already has its maximum number or size of attachments.
    case reportFull
    /// Removed by the quota of the app.
    case evicted
    /// Removed with the name when its person was anonymized.
    case anonymized
}

/// The outcome of an attachment, for the metrics.
enum AttachmentOutcome: String, CaseIterable {
    case stored, duplicate, evicted
    case tooLarge = "too_large"
    case reportFull = "report_full"
    /// There is no such report: it was rejected, removed, or has not arrived.
    case withoutReport = "without_report"
}

/// An attachment as it is stored, compressed on the caller's thread.
struct NewAttachment: Sendable {
    /// The key of its report's ID.
    let report: UInt64
    let app: Int64
    let name: String?
    let kind: String
    let contentType: String?
    let size: Int
    /// Compressed; nil if the attachment is too large.
    let body: [UInt8]?
    /// The hash of name and bytes.
    let digest: UInt64
    /// The approximate memory that the queued attachment uses.
    let weight: Int

    init(_ attachment: CrashAttachment, app: AppID, _ hash: KeyedHash, largest: Int) {
        report = hash.eventKey(attachment.report, app: app)
        self.app = app.rawValue
        name = attachment.name
        kind = attachment.kind
        contentType = attachment.contentType
        size = attachment.size
        let bytes = attachment.size > largest ? nil : attachment.bytes
        body = bytes.map(compress)
        let content = bytes.map { hash(.attachment, app: app, $0.span) } ?? UInt64(attachment.size)
        digest = hash(.attachment, app: app, Array("\(content) \(attachment.kind) \(attachment.name ?? "")".utf8).span)
        weight = (body?.count ?? 0) + attachment.bytesHeld
    }
}
