// SPDX-License-Identifier: Apache-2.0

package import Platform
package import Rules
import Synchronization

/// Requests of one kind that one statement denied. It has no IDs and no values.
package typealias RuleDenial = RuleCount<RuleDenialKind>

package struct RuleDenialKind: Hashable, Sendable, RequestKind {
    package let method: String
    /// The collection of the documents, with `*` for IDs: `users/*/orders`.
    package let collection: String
    /// The statement that was looked at last; nil if none is about the path.
    package let place: RulePlace?
    /// Whether it could not be evaluated.
    package let hasFailed: Bool
    /// The limit that was exceeded; nil for none.
    package let limit: RuleLimit?
    package let isSignedIn: Bool
}

/// The decisions of the newest rules of an app since the daemon started.
package struct RuleFigures: Sendable, Equatable {
    package let revision: Int64
    package let since: Timestamp
    /// The requests that each statement allowed.
    package var allowed: [RulePlace: Int] = [:]
    /// Those with most decisions first.
    package var collections: [CollectionDecisions] = []
    /// The newest last.
    package var denials: [RuleDenial] = []
}

/// Counts the decisions of rules. Denials are counted by kind, so a flood of them takes no more room than one.
final class RuleTally: Sendable {
    fileprivate struct OfApp {
        var figures: RuleFigures
        var collections = CollectionDecisionCounts()
        var denials = RuleCounts<RuleDenialKind>()
    }

    private static let mostApps = 10_000

    private let apps = Mutex<[AppID: OfApp]>([:])

    func note(_ decision: RuleDecision, _ request: RuleRequest, isSignedIn: Bool, _ app: AppID, revision: Int64, at now: Timestamp) {
        apps.withLock { apps in
            if apps[app]?.figures.revision != revision {
                if apps.count >= Self.mostApps { apps = [:] }
                apps[app] = OfApp(figures: RuleFigures(revision: revision, since: now))
            }
            apps[app]?.collections.add(request.shortCollection, isAllowed: decision.isAllowed)
            if let place = decision.allowedBy {
                apps[app]?.figures.allowed[place, default: 0] += 1
                return
            }
            let kind = RuleDenialKind(
                method: request.method.rawValue, collection: request.shortCollections, place: decision.refusedBy.last,
                hasFailed: !decision.faults.isEmpty, limit: decision.limit, isSignedIn: isSignedIn)
            apps[app]?.denials.add(kind, at: now)
        }
    }

    /// Returns the figures of an app's rules of a revision.
    func figures(of app: AppID, revision: Int64, now: Timestamp) -> RuleFigures {
        apps.withLock { apps in
            guard let known = apps[app], known.figures.revision == revision else { return RuleFigures(revision: revision, since: now) }
            var figures = known.figures
            (figures.collections, figures.denials) = (known.collections.all, known.denials.all)
            return figures
        }
    }
}
