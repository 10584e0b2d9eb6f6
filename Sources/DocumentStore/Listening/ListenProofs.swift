// SPDX-License-Identifier: Apache-2.0

import Listening
import SignalboxDocumentModel

/// The documents that the proofs of streams rest on, as a value.
///
///     set(1, of: s, restsOn: [roles/ana], provedAt: 7)    rules allowed target 1 of the stream because of roles/ana
///     doubt([roles/ana], at: 9)                           → s, which proves target 1 again before it sends anything
struct ListenProofs {
    private struct Subscriber: Hashable {
        let stream: ListenStreamID
        let target: Int
    }

    private var documents: [ListenStreamID: [Int: Set<DocumentPath>]] = [:]
    private var subscribers: [DocumentPath: Set<Subscriber>] = [:]
    private var doubtful: [ListenStreamID: Set<Int>] = [:]
    /// The newest changes in the order of their commits, which a decision that was made meanwhile may not have seen.
    private var recent: [(stamp: Int64, path: DocumentPath)] = []
    /// The newest commit of which a change is not among the recent ones, or that changed the rules.
    private var forgotten: Int64

    private static let mostRecent = 1_000

    init(at stamp: Int64) {
        forgotten = stamp
    }

    /// Replaces the proof of a target. It is doubtful at once if one of the documents was changed since the commit that the decision saw.
    mutating func set(_ target: Int, of stream: ListenStreamID, restsOn paths: Set<DocumentPath>, provedAt stamp: Int64) -> Bool {
        remove(target, of: stream)
        documents[stream, default: [:]][target] = paths
        for path in paths { subscribers[path, default: []].insert(Subscriber(stream: stream, target: target)) }
        let isDoubtful = forgotten > stamp || recent.reversed().prefix { $0.stamp > stamp }.contains { paths.contains($0.path) }
        if isDoubtful { doubtful[stream, default: []].insert(target) }
        return isDoubtful
    }

    mutating func remove(_ target: Int, of stream: ListenStreamID) {
        for path in documents[stream]?.removeValue(forKey: target) ?? [] {
            subscribers[path]?.remove(Subscriber(stream: stream, target: target))
            if subscribers[path]?.isEmpty ?? false { subscribers[path] = nil }
        }
        doubtful[stream]?.remove(target)
    }

    mutating func remove(_ stream: ListenStreamID) {
        for target in documents[stream]?.keys.sorted() ?? [] { remove(target, of: stream) }
        (documents[stream], doubtful[stream]) = (nil, nil)
    }

    /// Doubts the proofs that rest on documents which a commit changed. Returns their streams.
    mutating func doubt(_ changed: some Sequence<DocumentPath>, at stamp: Int64) -> Set<ListenStreamID> {
        var streams: Set<ListenStreamID> = []
        for path in changed {
            recent.append((stamp, path))
            for subscriber in subscribers[path] ?? [] {
                doubtful[subscriber.stream, default: []].insert(subscriber.target)
                streams.insert(subscriber.stream)
            }
        }
        if recent.count > 2 * Self.mostRecent {
            let dropped = recent.count - Self.mostRecent
            forgotten = max(forgotten, recent[dropped - 1].stamp)
            recent.removeFirst(dropped)
        }
        return streams
    }

    /// Doubts all proofs that were made before a commit. Returns their streams.
    mutating func doubtAll(at stamp: Int64) -> Set<ListenStreamID> {
        forgotten = max(forgotten, stamp)
        for stream in documents.keys { doubtAll(of: stream) }
        return Set(documents.keys)
    }

    mutating func doubtAll(of stream: ListenStreamID) { doubtful[stream] = documents[stream].map { Set($0.keys) } }

    /// Returns the targets of a stream that must be proved again. They are no longer doubtful then.
    mutating func takeDoubtful(of stream: ListenStreamID) -> Set<Int> { doubtful.removeValue(forKey: stream) ?? [] }
}
