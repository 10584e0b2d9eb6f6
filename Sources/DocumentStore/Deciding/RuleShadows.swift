// SPDX-License-Identifier: Apache-2.0

package import Platform
package import Rules
import Synchronization

/// Requests of one kind on which an app's rules and a candidate decide differently. It has no IDs and no values.
package typealias RuleDifference = RuleCount<RuleDifferenceKind>

package struct RuleDifferenceKind: Hashable, Sendable, RequestKind {
    package let method: String
    package let collection: String
    package let isSignedIn: Bool
    /// Whether the candidate allows what the rules deny; else it denies what they allow.
    package let isAllowedByCandidate: Bool
    /// The statement of the rules that decided; nil if none is about the path.
    package let place: RulePlace?
    /// The statement of the candidate that decided.
    package let candidatePlace: RulePlace?
    /// Whether a statement of the candidate could not be evaluated.
    package let hasFailed: Bool
}

/// The decisions of candidate rules beside those of an app.
package struct RuleShadowFigures: Sendable, Equatable {
    /// The bytes of the candidate's source.
    package let bytes: Int
    package let since: Timestamp
    package let until: Timestamp
    package fileprivate(set) var isActive = true
    /// The revision of the app's rules that the candidate is compared with; nil before the first decision, and 0 without rules.
    package fileprivate(set) var revision: Int64?
    /// The requests on which both decided.
    package fileprivate(set) var compared = 0
    /// The requests that the candidate did not decide on, as its share of the time was used up.
    package fileprivate(set) var skipped = 0
    package fileprivate(set) var allowedByCandidate = 0
    package fileprivate(set) var deniedByCandidate = 0
    /// The newest last.
    package fileprivate(set) var differences: [RuleDifference] = []
}

/// Candidate rules that decide beside those of apps for a while. Their decisions are compared and have no effect.
///
/// Candidates of all apps have one budget a second, of which each app has an equal share. What is beyond it is skipped.
final class RuleShadows: Sendable {
    fileprivate struct Shadow {
        /// Nil once the time is over.
        var rules: Ruleset?
        var figures: RuleShadowFigures
        var counts = RuleCounts<RuleDifferenceKind>()
        /// The second of the budget, and what it has used of it.
        var second: Int64 = 0
        var cost = 0
    }

    /// The candidates that decide at the same time.
    static let most = 16
    /// The expressions of a second, for all apps. A usual decision has ten; it takes some microseconds.
    static let costOfSecond = 200_000
    /// The cost of a document that only the candidate reads, in expressions.
    private static let costOfRead = 50
    /// The work of values that counts as one expression.
    private static let workOfExpression = 16

    private let shadows = Mutex<[AppID: Shadow]>([:])
    private let active = Atomic<Int>(0)

    /// Whether no app has a candidate. It costs a decision one load.
    var isEmpty: Bool { active.load(ordering: .relaxed) == 0 }

    /// Makes rules the candidate of an app. Returns false if too many apps have one.
    func begin(_ rules: Ruleset, bytes: Int, app: AppID, at now: Timestamp, until: Timestamp) -> Bool {
        shadows.withLock { shadows in
            endOverdue(&shadows, at: now)
            if shadows[app] == nil, shadows.count >= Self.most {
                let ended = shadows.filter { $0.value.rules == nil }.min { $0.value.figures.until < $1.value.figures.until }
                guard let ended else { return false }
                shadows[ended.key] = nil
            }
            shadows[app] = Shadow(rules: rules, figures: RuleShadowFigures(bytes: bytes, since: now, until: until))
            count(shadows)
            return true
        }
    }

    /// Removes the candidate of an app with its figures. Returns them as they were.
    func end(_ app: AppID, at now: Timestamp) -> RuleShadowFigures? {
        shadows.withLock { shadows in
            endOverdue(&shadows, at: now)
            defer { count(shadows) }
            return shadows.removeValue(forKey: app).map(Self.figures)
        }
    }

    /// Returns the figures of an app's candidate; nil without any.
    func figures(of app: AppID, at now: Timestamp) -> RuleShadowFigures? {
        shadows.withLock { shadows in
            endOverdue(&shadows, at: now)
            return shadows[app].map(Self.figures)
        }
    }

    /// Removes candidates of apps that are not there any longer.
    func keep(only apps: (AppID) -> Bool) {
        shadows.withLock { shadows in
            shadows = shadows.filter { apps($0.key) }
            count(shadows)
        }
    }

    /// Returns the candidate that decides on a request of an app; nil if there is none, or it has used its share of this second.
    func candidate(of app: AppID, revision: Int64, at now: Timestamp) -> Ruleset? {
        shadows.withLock { shadows -> Ruleset? in
            guard var shadow = shadows[app], shadow.rules != nil else { return nil }
            if shadow.figures.until <= now {
                endOverdue(&shadows, at: now)
                return nil
            }
            // A request that began earlier may be with former rules, or of a second that is over.
            let compared = shadow.figures.revision ?? 0
            if revision < compared { return nil }
            if revision > compared || shadow.figures.revision == nil { shadow.compare(with: revision) }
            let second = now.milliseconds / 1_000
            if shadow.second < second { (shadow.second, shadow.cost) = (second, 0) }
            let share = Self.costOfSecond / max(1, active.load(ordering: .relaxed))
            let isWithin = shadow.cost < share
            if !isWithin { shadow.figures.skipped += 1 }
            shadows[app] = shadow
            return isWithin ? shadow.rules : nil
        }
    }

    /// Counts a decision of a candidate.
    ///
    /// - Parameter reads: The documents that were read for it alone.
    func note(
        _ made: RuleDecision, instead decision: RuleDecision, _ request: RuleRequest, isSignedIn: Bool, reads: Int, _ app: AppID, revision: Int64,
        at now: Timestamp
    ) {
        shadows.withLock { shadows in
            guard shadows[app]?.figures.revision == revision else { return }
            shadows[app]?.cost += made.expressions + made.work / Self.workOfExpression + reads * Self.costOfRead + 1
            shadows[app]?.figures.compared += 1
            if made.isAllowed == decision.isAllowed { return }
            if made.isAllowed { shadows[app]?.figures.allowedByCandidate += 1 } else { shadows[app]?.figures.deniedByCandidate += 1 }
            let kind = RuleDifferenceKind(
                method: request.method.rawValue, collection: request.shortCollections, isSignedIn: isSignedIn, isAllowedByCandidate: made.isAllowed,
                place: decision.allowedBy ?? decision.refusedBy.last, candidatePlace: made.allowedBy ?? made.refusedBy.last,
                hasFailed: !made.isAllowed && !made.faults.isEmpty)
            shadows[app]?.counts.add(kind, at: now)
        }
    }

    /// Candidates whose time is over decide no longer; their figures stay.
    private func endOverdue(_ shadows: inout [AppID: Shadow], at now: Timestamp) {
        for (app, shadow) in shadows where shadow.rules != nil && shadow.figures.until <= now {
            shadows[app]?.rules = nil
            shadows[app]?.figures.isActive = false
        }
        count(shadows)
    }

    private func count(_ shadows: [AppID: Shadow]) { active.store(shadows.values.count { $0.rules != nil }, ordering: .relaxed) }

    private static func figures(_ shadow: Shadow) -> RuleShadowFigures {
        var figures = shadow.figures
        figures.differences = shadow.counts.all
        return figures
    }
}

extension RuleShadows.Shadow {
    /// Begins to count anew: other rules of the app differ in other requests.
    fileprivate mutating func compare(with revision: Int64) {
        figures.revision = revision
        (figures.compared, figures.skipped, figures.allowedByCandidate, figures.deniedByCandidate) = (0, 0, 0, 0)
        counts = RuleCounts()
    }
}
