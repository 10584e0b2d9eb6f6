// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Platform

/// Options and limits of the crash store.
package struct CrashBounds: Sendable {
    /// Documents of reports kept for an app and of one issue, and their bytes as they are stored; beyond them those that tell least go.
    package var payloadsOfApp = 10_000
    package var bytesOfApp: Int64 = 1 << 30
    package var payloadsOfIssue = 1_000
    package var bytesOfIssue: Int64 = 256 << 20
    /// Issues of an app; beyond them what is new goes into one that gathers the rest.
    package var issues = 20_000
    /// Whole stacks told apart in one grouping.
    package var variants = 50
    /// Different releases, systems, devices or platforms of an app.
    package var words = 10_000
    /// Binaries of one report whose symbols are looked for.
    package var wantedImages = 16
    /// How often a report is tried to be looked up in symbol files.
    package var symbolTries = 3
    /// How long an id counts once at least, though its report is kept for a shorter time.
    package var once = Timestamp.Span.days(7)
    /// How long an issue stays of which no report is kept any more.
    package var issueKept = Timestamp.Span.days(400)
    /// Changes that wait for the writer, and the bytes they hold; beyond either more are refused.
    package var queue = 8_192
    package var queueBytes = 32 << 20
    /// Pages in the log that start a checkpoint.
    package var checkpointPages = 4_000
    /// Rows looked at or taken away in one transaction.
    package var chunk = 1_000
    /// Takes out of a report's document what tells whose it is; nil where it cannot, and then the document goes.
    package var anonymise: @Sendable ([UInt8]) -> [UInt8]? = { _ in nil }
    /// Reads a report's document; nil where it cannot.
    package var report: @Sendable ([UInt8]) -> CrashReport? = { _ in nil }

    package init() {}

    package static let settings: [Setting<CrashBounds>] = [
        Setting(
            "kept_reports", .count(1...10_000_000, "reports"), \.payloadsOfApp,
            "Full reports kept for an app; above that a sample of each issue is kept"),
        Setting("kept_reports_per_issue", .count(1...10_000_000, "reports"), \.payloadsOfIssue, "Full reports kept for an issue"),
        Setting("issues", .count(1...10_000_000, "issues"), \.issues, "Issues of an app; above that new ones are collected in one"),
        Setting("kept_bytes", .size(1 << 20...1 << 40), \.bytesOfApp, "Compressed bytes of full reports kept for an app"),
    ]
}
