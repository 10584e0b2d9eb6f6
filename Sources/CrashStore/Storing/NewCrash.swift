// SPDX-License-Identifier: Apache-2.0

import Compression
import Crashes
import Platform
import SQLite

/// A report as it is stored. It is prepared on the caller's thread: keys are hashed and the document is compressed before the writer is
/// involved.
struct NewCrash: Sendable {
    let index: Int
    let id: String
    let publicID: Value
    let key: UInt64
    let app: Int64
    let kind: CrashKind
    let time: Timestamp
    let group: GroupKey
    /// For older rules, which decide where the newest one knows no group.
    let report: CrashReport
    let user: UInt64
    let installation: UInt64
    let session: UInt64
    let release: String?
    let build: String?
    let os: String?
    let device: String?
    let platform: String?
    let flags: CrashFlags
    let tags: ReportTags
    let body: [UInt8]
    /// The approximate memory that the queued report uses, including the submission that its caller holds until the commit.
    let weight: Int
    let wanted: [WantedSymbols]
    let needsNames: Bool
    /// The compressed minidump; empty if there is none.
    let minidump: [UInt8]

    /// The compressed size up to which a minidump is kept. Several fit into the queue of the writer.
    private static let minidumpBytes = 8 << 20

    private static func kept(_ minidump: [UInt8], _ quota: Int64) -> [UInt8] {
        if minidump.isEmpty || quota == 0 { return [] }
        let body = compress(minidump)
        return body.count <= minidumpBytes ? body : []
    }

    init(_ submission: CrashSubmission, app: AppID, _ hash: KeyedHash, _ limits: CrashBounds) {
        let report = submission.report
        func key(_ domain: KeyedHash.Domain, _ text: String?) -> UInt64 {
            guard let text, !text.isEmpty else { return 0 }
            return hash(domain, app: app, Array(text.utf8).span)
        }
        index = submission.index
        id = report.id
        publicID = UUID128(Array(report.id.utf8).span).map { .blob($0.bytes) } ?? .text(report.id)
        self.key = hash.eventKey(report.id, app: app)
        self.app = app.rawValue
        kind = report.kind
        time = report.time
        group = submission.group
        self.report = report
        user = key(.user, report.user)
        installation = key(.installation, report.installation)
        session = key(.session, report.session)
        release = report.releaseKey
        build = report.appBuild
        os = report.contextValue("os_version")
        device = report.contextValue("device_model")
        platform = report.contextValue("platform")
        flags = CrashFlags(report, isLate: submission.isLate)
        tags = ReportTags(report, app: app, hash)
        body = compress(submission.payload)
        minidump = NewCrash.kept(submission.minidump, limits.minidumpBytes)
        weight = body.count + tags.keys.count * 8 + submission.payload.count + minidump.count + 1_024
        needsNames = submission.needsNames
        wanted = WantedSymbols.of(report, atMost: limits.wantedImages)
    }
}

/// Properties of a report found at intake, stored with it.
package struct CrashFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let late = CrashFlags(rawValue: 1)
    /// A part of the report exceeded `CrashLimits` and was cut.
    package static let corrected = CrashFlags(rawValue: 2)
    package static let handled = CrashFlags(rawValue: 4)
    package static let unhandled = CrashFlags(rawValue: 8)
    /// The report was symbolicated.
    package static let symbolicated = CrashFlags(rawValue: 16)
    /// A person was removed from the report. Files that are sent for it later are not stored.
    package static let anonymized = CrashFlags(rawValue: 32)

    fileprivate init(_ report: CrashReport, isLate: Bool) {
        self = isLate ? .late : []
        if !report.cuts.isEmpty { insert(.corrected) }
        if let handled = report.handled { insert(handled ? .handled : .unhandled) }
    }
}
