// SPDX-License-Identifier: Apache-2.0

/// A way to tell which reports belong together. What it has once answered is stored, so a rule never changes: a better one is a new one at the end of `rules`.
package struct Grouping: Sendable {
    package let version: Int
    private let key: @Sendable (CrashReport) -> GroupingParts

    /// The newest last.
    package static let rules = [
        Grouping(version: 1) { report in FrameRule.parts(of: report) }
    ]

    package static let current = rules[rules.count - 1]

    package static func rule(version: Int) -> Grouping? {
        rules.first { $0.version == version }
    }

    package func group(_ report: CrashReport) -> GroupKey {
        let parts = key(report)
        let named = Fingerprint(report.fingerprint)
        return GroupKey(
            version: version, hash: named?.hash(kind: report.kind, rule: parts.hash) ?? parts.hash, variant: parts.variant,
            reason: named?.reason(rule: parts.reason) ?? parts.reason, title: IssueTitle.of(report), culprit: parts.culprit)
    }
}

/// What a rule finds in a report.
struct GroupingParts {
    var hash: [UInt8]
    var variant: [UInt8]
    var reason: String
    var culprit: String?
}
