// SPDX-License-Identifier: Apache-2.0

package import Platform
package import Rules
import Synchronization

/// Denied requests of one kind. It has no paths and no values.
package struct FileDenial: Sendable, Hashable {
    package struct Kind: Hashable, Sendable {
        package let method: String
        /// The statement that was looked at last; nil if none is about the path.
        package let place: RulePlace?
        /// Whether it could not be evaluated.
        package let hasFailed: Bool
        package let isSignedIn: Bool
    }

    package let kind: Kind
    package fileprivate(set) var count = 0
    package let first: Timestamp
    package fileprivate(set) var last: Timestamp
}

/// The decisions of the newest storage rules of an app since the daemon started.
package struct FileDecisionFigures: Sendable {
    package let revision: Int64
    package let since: Timestamp
    /// The requests that each statement allowed.
    package fileprivate(set) var allowed: [RulePlace: Int] = [:]
    fileprivate var counts: [FileDenial.Kind: FileDenial] = [:]

    fileprivate init(_ revision: Int64, since: Timestamp) { (self.revision, self.since) = (revision, since) }

    /// The newest first.
    package var denials: [FileDenial] { counts.values.sorted { ($1.last, $0.count) < ($0.last, $1.count) } }
}

/// Counts decisions of storage rules. The kinds are bounded by the statements of the rules, so a flood of denials takes no more room than one.
final class FileDecisions: Sendable {
    private static let mostApps = 10_000

    private let apps = Mutex<[AppID: FileDecisionFigures]>([:])

    func note(_ decision: RuleDecision, _ method: RuleMethodName, isSignedIn: Bool, _ app: AppID, revision: Int64, at now: Timestamp) {
        apps.withLock { apps in
            if apps[app]?.revision != revision {
                if apps.count >= FileDecisions.mostApps { apps = [:] }
                apps[app] = FileDecisionFigures(revision, since: now)
            }
            if let place = decision.allowedBy {
                apps[app]?.allowed[place, default: 0] += 1
                return
            }
            let kind = FileDenial.Kind(
                method: method.rawValue, place: decision.refusedBy.last, hasFailed: !decision.faults.isEmpty, isSignedIn: isSignedIn)
            apps[app]?.counts[kind, default: FileDenial(kind: kind, first: now, last: now)].count += 1
            apps[app]?.counts[kind]?.last = now
        }
    }

    /// Returns the figures of an app's rules of a revision.
    func figures(of app: AppID, revision: Int64, now: Timestamp) -> FileDecisionFigures {
        guard let known = apps.withLock({ $0[app] }), known.revision == revision else { return FileDecisionFigures(revision, since: now) }
        return known
    }
}
