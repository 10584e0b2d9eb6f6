// SPDX-License-Identifier: Apache-2.0

package import Platform
package import Rules
import Synchronization

/// Requests of one kind that one statement denied. It has no IDs and no values.
package struct RuleDenial: Sendable, Equatable {
    package struct Kind: Hashable, Sendable {
        package let method: String
        /// The collection of the documents, with `*` for IDs: `users/*/orders`.
        package let collection: String
        /// The statement that was looked at last; nil if none is about the path.
        package let place: RulePlace?
        /// Whether it could not be evaluated.
        package let hasFailed: Bool
        package let isSignedIn: Bool
    }

    package let kind: Kind
    package var count: Int
    package let first: Timestamp
    package var last: Timestamp
}

/// The decisions of the newest rules of an app since the daemon started.
package struct RuleFigures: Sendable, Equatable {
    package let revision: Int64
    package let since: Timestamp
    /// The requests that each statement allowed.
    package var allowed: [RulePlace: Int] = [:]
    /// The newest last.
    package var denials: [RuleDenial] = []
}

/// Counts the decisions of rules. Denials are counted by kind, so a flood of them takes no more room than one.
final class RuleTally: Sendable {
    fileprivate struct OfApp {
        var figures: RuleFigures
        var denials: [RuleDenial.Kind: RuleDenial] = [:]
    }

    /// The kinds of denials that are kept of an app. Clients choose the names of collections, so the oldest ones make room.
    private static let kinds = 1_000
    private static let mostApps = 10_000
    private static let collectionBytes = 256

    private let apps = Mutex<[AppID: OfApp]>([:])

    func note(_ decision: RuleDecision, _ request: RuleRequest, isSignedIn: Bool, _ app: AppID, revision: Int64, at now: Timestamp) {
        apps.withLock { apps in
            if apps[app]?.figures.revision != revision {
                if apps.count >= Self.mostApps { apps = [:] }
                apps[app] = OfApp(figures: RuleFigures(revision: revision, since: now))
            }
            if let place = decision.allowedBy {
                apps[app]?.figures.allowed[place, default: 0] += 1
                return
            }
            let kind = RuleDenial.Kind(
                method: request.method.rawValue, collection: Self.collection(request), place: decision.refusedBy.last,
                hasFailed: !decision.faults.isEmpty, isSignedIn: isSignedIn)
            apps[app]?.add(kind, at: now, most: Self.kinds)
        }
    }

    /// Returns the figures of an app's rules of a revision.
    func figures(of app: AppID, revision: Int64, now: Timestamp) -> RuleFigures {
        apps.withLock { apps in
            guard let known = apps[app], known.figures.revision == revision else { return RuleFigures(revision: revision, since: now) }
            var figures = known.figures
            figures.denials = known.denials.values.sorted { ($0.last, $0.kind.collection) < ($1.last, $1.kind.collection) }
            return figures
        }
    }

    private static func collection(_ request: RuleRequest) -> String {
        let text = request.collections
        guard text.utf8.count > collectionBytes else { return text }
        return String(decoding: text.utf8.prefix(collectionBytes), as: UTF8.self) + "…"
    }
}

extension RuleTally.OfApp {
    fileprivate mutating func add(_ kind: RuleDenial.Kind, at now: Timestamp, most: Int) {
        if denials[kind] == nil, denials.count >= most {
            let kept = denials.values.sorted { $0.last > $1.last }.prefix(most / 2)
            denials = Dictionary(uniqueKeysWithValues: kept.map { ($0.kind, $0) })
        }
        denials[kind, default: RuleDenial(kind: kind, count: 0, first: now, last: now)].count += 1
        denials[kind]?.last = now
    }
}
