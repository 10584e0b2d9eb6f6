// SPDX-License-Identifier: Apache-2.0

package import Platform
import Rules
import SignalboxDocumentModel

/// A kind of requests, without IDs and values.
package protocol RequestKind: Hashable, Sendable {
    /// The collection of the documents, with `*` for IDs: `users/*/orders`.
    var collection: String { get }
}

/// The requests of one kind.
package struct RuleCount<Kind: RequestKind>: Sendable, Equatable {
    package let kind: Kind
    package fileprivate(set) var count: Int
    package let first: Timestamp
    package fileprivate(set) var last: Timestamp
}

/// Counts of requests by kind. Clients choose the names of collections, so the oldest kinds make room.
struct RuleCounts<Kind: RequestKind>: Sendable {
    private static var most: Int { 1_000 }

    private var counts: [Kind: RuleCount<Kind>] = [:]

    mutating func add(_ kind: Kind, at now: Timestamp) {
        if counts[kind] == nil, counts.count >= Self.most {
            let kept = counts.values.sorted { $0.last > $1.last }.prefix(Self.most / 2)
            counts = Dictionary(uniqueKeysWithValues: kept.map { ($0.kind, $0) })
        }
        counts[kind, default: RuleCount(kind: kind, count: 0, first: now, last: now)].count += 1
        counts[kind]?.last = now
    }

    /// All counts, the newest last.
    var all: [RuleCount<Kind>] { counts.values.sorted { ($0.last, $0.kind.collection) < ($1.last, $1.kind.collection) } }
}

/// The decisions about documents of all collections with an ID.
package struct CollectionDecisions: Sendable, Equatable {
    /// Empty for queries of all collections.
    package let id: String
    package fileprivate(set) var allowed = 0
    package fileprivate(set) var denied = 0

    fileprivate var all: Int { allowed + denied }
}

/// Counts of decisions by the ID of collections. Clients choose IDs, so those with the fewest decisions make room.
struct CollectionDecisionCounts: Sendable {
    private static let most = 200

    private var counts: [ExactName: CollectionDecisions] = [:]

    mutating func add(_ id: String, isAllowed: Bool) {
        let name = ExactName(id)
        if counts[name] == nil, counts.count >= Self.most {
            counts = Dictionary(uniqueKeysWithValues: all.prefix(Self.most / 2).map { (ExactName($0.id), $0) })
        }
        if isAllowed {
            counts[name, default: CollectionDecisions(id: id)].allowed += 1
        } else {
            counts[name, default: CollectionDecisions(id: id)].denied += 1
        }
    }

    /// All counts, those with most decisions first.
    var all: [CollectionDecisions] { counts.values.sorted { ($1.all, $0.id) < ($0.all, $1.id) } }
}

extension RuleRequest {
    private static let collectionBytes = 256

    /// The names of the collections in the path, cut after some hundred bytes.
    var shortCollections: String { RuleRequest.short(collections) }

    /// The ID of the documents' collection, cut like the names.
    var shortCollection: String { RuleRequest.short(path.dropLast().last ?? "") }

    private static func short(_ text: String) -> String {
        guard text.utf8.count > collectionBytes else { return text }
        return String(decoding: text.utf8.prefix(collectionBytes), as: UTF8.self) + "…"
    }
}
