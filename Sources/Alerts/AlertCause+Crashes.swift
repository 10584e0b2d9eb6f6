// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Messaging
import Platform

extension AlertCause {
    /// The transition's number distinguishes the alerts.
    init(_ unpublished: UnpublishedTransition) {
        let issue = unpublished.issue
        let kind: AlertKind =
            switch unpublished.transition.kind {
            case .appeared: AlertKind(new: issue.kind)
            case .regressed: .regressed
            default: .unmuted
            }
        let release = unpublished.transition.detail.map { " in \($0)" } ?? ""
        let what =
            switch unpublished.transition.kind {
            case .appeared: "New \(issue.kind.name) issue"
            case .regressed: "A closed issue regressed"
            default: "A muted issue was unmuted"
            }
        self.init(
            kind, of: "\(unpublished.transition.id)", "\(what)\(release): \(issue.sentence())",
            data: issue.data(release: unpublished.transition.detail)
        )
    }

    /// The first event distinguishes summaries, also when one is repeated after a restart.
    init(_ leftOut: LeftOutIssues) {
        let worst = leftOut.worst.map { "\($0.sentence(scalars: 100)) (\($0.count) reports, \($0.users) users)" }
        let rest = leftOut.count > worst.count ? "; …" : ""
        self.init(
            .manyNew, of: "\(leftOut.first)",
            "\(leftOut.count) more new non-fatal \(leftOut.count == 1 ? "issue" : "issues"): \(worst.joined(separator: "; "))\(rest)",
            data: [("count", String(leftOut.count))] + (leftOut.worst.first?.data(release: nil) ?? []))
    }

    init(_ spread: IssueSpread, _ figures: Velocity.Figures, _ issue: IssueSummary) {
        let share = (figures.percent * 10).rounded() / 10
        let release = spread.release.map { " of \($0)" } ?? ""
        self.init(
            .velocity, of: spread.object, "\(figures.people) users hit this in \(share) % of the sessions\(release): \(issue.sentence())",
            data: issue.data(release: spread.release) + [
                ("crashes", String(figures.crashes)), ("users", String(figures.people)), ("share", String(share)),
            ])
    }

    init(_ missing: MissingSymbols) {
        let name = missing.name?.unicodeScalars.split(separator: "/").last.map { String($0) } ?? "a binary"
        self.init(
            .missingSymbols, of: missing.debugID,
            "Symbols of \(name) (\(missing.debugID)) are missing: \(missing.crashes) crashes are waiting for them.",
            data: [("debug_id", missing.debugID), ("name", name), ("crashes", String(missing.crashes))])
    }
}

extension AlertKind {
    fileprivate init(new kind: CrashKind) {
        switch kind {
        case .fatal: self = .newFatal
        case .nonfatal: self = .newNonfatal
        case .anr: self = .newANR
        }
    }
}

extension IssueSpread {
    /// The part of its alert's cause that names issue and release.
    var object: String { "\(issue):\(release ?? "")" }
}

extension IssueSummary {
    fileprivate func sentence(scalars: Int = 300) -> String {
        (culprit.map { "\(title) at \($0)" } ?? title).first(scalars: scalars)
    }

    fileprivate func data(release: String?) -> [(name: String, value: String)] {
        [("issue", id), ("title", title.first(scalars: 200)), ("kind", kind.name)] + (release.map { [("release", $0)] } ?? [])
    }
}

extension String {
    /// Counts scalars, because a Character may hold any number of them.
    fileprivate func first(scalars: Int) -> String { String(unicodeScalars.prefix(scalars)) }
}
