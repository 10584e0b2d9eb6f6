// SPDX-License-Identifier: Apache-2.0

package import Platform
import Rules

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

extension RuleRequest {
    private static let collectionBytes = 256

    /// The names of the collections in the path, cut after some hundred bytes.
    var shortCollections: String {
        let text = collections
        guard text.utf8.count > Self.collectionBytes else { return text }
        return String(decoding: text.utf8.prefix(Self.collectionBytes), as: UTF8.self) + "…"
    }
}
