// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Alerts
import CrashStore
import Database
import DocumentStore
import EventStore
import FileStore
import FunctionStore
import MessageStore
import Platform
import Synchronization

/// Answers whether the daemon accepts data now, and if not, why.
struct Readiness: Sendable {
    let store: Stores
    let disk: DiskGuard
    let drain: DrainState
    let configuration: LiveConfiguration

    /// Why data would be rejected now; empty when the daemon is ready.
    var reasons: [String] {
        (drain.hasBegun ? ["shutting down"] : []) + problems.map(\.text)
    }

    var problems: [StandingProblem] {
        var found = storageProblems.map { StandingProblem(kind: .storage, text: $0) }
        if disk.isShort { found.append(StandingProblem(kind: .disk, text: "less than \(disk.minFreeBytes >> 20) MiB of disk are free")) }
        let logs = [
            store.events.gauges.walBytes, store.messages.gauges.walBytes, store.crashes.gauges.walBytes, store.accounts.gauges.walBytes,
            store.documents.gauges.walBytes, store.files.gauges.walBytes, store.functions.gauges.walBytes,
        ]
        let wal = Int(logs.reduce(0) { max($0, $1.value) })
        if wal > configuration.now.storage.maxWAL {
            found.append(StandingProblem(kind: .wal, text: "the write-ahead log has grown to \(wal >> 20) MiB"))
        }
        return found
    }

    private var storageProblems: [String] {
        let (events, documents) = (store.events.gauges.now, store.documents.gauges.storageTroubles)
        let found = [
            (events.trouble, "the last commit failed"), (events.upkeepTrouble, "the last checkpoint failed"),
            (documents.commit, "the last commit of documents failed"), (documents.checkpoint, "the last checkpoint of documents failed"),
        ]
        if found.contains(where: { $0.0?.code == .storageFull }) { return ["the disk is full"] }
        return found.compactMap { $0.0 == nil ? nil : $0.1 }
    }
}

/// The progress of a shutdown: begun, then rejecting new requests.
final class DrainState: Sendable {
    private let begun = Atomic<Bool>(false)
    private let refusing = Atomic<Bool>(false)
    private let untilBegun = AsyncStream.makeStream(of: Never.self)

    var hasBegun: Bool { begun.load(ordering: .relaxed) }
    /// Whether new requests are rejected with 503.
    var rejectsRequests: Bool { refusing.load(ordering: .relaxed) }

    /// Returns false if it had begun before.
    func begin() -> Bool {
        !begun.exchange(true, ordering: .relaxed)
    }

    func rejectRequests() {
        refusing.store(true, ordering: .relaxed)
    }

    /// Ends every `wait`.
    func announce() {
        untilBegun.continuation.finish()
    }

    func wait() async {
        for await _ in untilBegun.stream {}
    }
}
