// SPDX-License-Identifier: Apache-2.0

/// A version of the rules that assign reports to groups. Results are stored, so a published rule never changes; an improved one is appended
/// to `rules`.
///
/// A group is one fingerprint: reports with the same hash. An issue consists of one or more groups, because users merge and split issues.
///
///     report 1  [abort, Cart.checkout, main]        ┐ same hash → group 8 → issue "crash in Cart.checkout"
///     report 2  [abort, Cart.checkout, Shop.run]    ┘ another `stackHash`, same group
///     report 3  [abort, Login.submit, main]           → group 9 → another issue
package struct GroupingRule: Sendable {
    package let version: Int
    private let key: @Sendable (CrashReport) -> GroupingResult

    /// All rules, the newest last.
    package static let rules = [
        GroupingRule(version: 1) { report in FrameRule.parts(of: report) },
        GroupingRule(version: 2) { report in SiteRule.parts(of: report) },
    ]

    package static let current = rules[rules.count - 1]

    package static func rule(version: Int) -> GroupingRule? {
        rules.first { $0.version == version }
    }

    package func group(_ report: CrashReport) -> GroupKey {
        let parts = key(report)
        let named = Fingerprint(report.fingerprint)
        return GroupKey(
            version: version, hash: named?.hash(kind: report.kind, rule: parts.hash) ?? parts.hash, stackHash: parts.stackHash,
            reason: named?.reason(rule: parts.reason) ?? parts.reason, title: IssueTitle.of(report), culprit: parts.culprit)
    }
}

/// The result of one rule for one report.
struct GroupingResult {
    var hash: [UInt8]
    var stackHash: [UInt8]
    var reason: String
    var culprit: String?
}
