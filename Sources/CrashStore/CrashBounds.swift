// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Platform

/// Options and limits of the crash store.
package struct CrashBounds: Sendable {
    /// The quotas of stored documents, as a number and in compressed bytes, per app and per issue. `Eviction` selects the documents above
    /// them.
    package var payloadsOfApp = 10_000
    package var bytesOfApp: Int64 = 1 << 30
    package var payloadsOfIssue = 1_000
    var bytesOfIssue: Int64 = 256 << 20
    /// The quota of stored attachments per app, in compressed bytes. The oldest above it are evicted.
    package var attachmentBytesOfApp: Int64 = 256 << 20
    /// The size above which an attachment is left out. 0 stores none.
    package var attachmentBytes = 4 << 20
    /// The quota of an app's minidumps in compressed bytes. A larger dump is not kept.
    package var minidumpBytes: Int64 = 256 << 20
    /// The number of issues of an app. Above it, reports of new groups are collected in one issue per kind.
    package var issues = 20_000
    /// The number of different stacks counted separately in one group.
    package var variants = 50
    /// The number of distinct texts of an app, per kind: releases, operating systems, devices and platforms.
    package var words = 10_000
    /// The number of binaries of one report for which symbols are requested.
    package var wantedImages = 16
    /// The number of attempts to symbolicate a report.
    var symbolTries = 3
    /// The longest time for which the alert of a new issue waits for the symbolication of its report.
    package var alertDelay = Timestamp.Span.minutes(2)
    /// The least time for which report IDs are deduplicated, even after data retention removed the report.
    package var once = Timestamp.Span.days(7)
    /// The time for which an issue without reports is kept.
    var issueKept = Timestamp.Span.days(400)
    /// The limits of queued changes and of their bytes, above which changes are rejected.
    package var queue = 8_192
    package var queueBytes = 32 << 20
    /// The pages in the write-ahead log from which on the writer checkpoints.
    package var checkpointPages = 4_000
    /// The number of rows read or removed in one transaction.
    package var chunk = 1_000
    /// Removes identifying data from a document. Nil if it cannot; the document is then deleted.
    package var anonymise: @Sendable ([UInt8]) -> [UInt8]? = { _ in nil }
    /// Decodes a document. Nil if it cannot.
    package var report: @Sendable ([UInt8]) -> CrashReport? = { _ in nil }

    package init() {}

    package static let settings: [Setting<CrashBounds>] = [
        Setting(
            "kept_reports", .count(1...10_000_000, "reports"), \.payloadsOfApp,
            "Full reports kept for an app; above that a sample of each issue is kept"),
        Setting("kept_reports_per_issue", .count(1...10_000_000, "reports"), \.payloadsOfIssue, "Full reports kept for an issue"),
        Setting("issues", .count(1...10_000_000, "issues"), \.issues, "Issues of an app; above that new ones are collected in one"),
        Setting("kept_bytes", .size(1 << 20...1 << 40), \.bytesOfApp, "Compressed bytes of full reports kept for an app"),
        Setting(
            "attachment_bytes", .size(0...CrashLimits.attachmentBytes), \.attachmentBytes,
            "Largest attachment of a report; larger ones are left out, and the report says so"),
        Setting(
            "kept_attachment_bytes", .size(1 << 20...1 << 40), \.attachmentBytesOfApp,
            "Compressed bytes of attachments kept for an app; above that the oldest are removed"),
        Setting(
            "minidump_bytes", .size(0...1 << 40), \.minidumpBytes,
            "Compressed bytes of minidumps kept for an app; above that the oldest are removed"),
    ]
}
