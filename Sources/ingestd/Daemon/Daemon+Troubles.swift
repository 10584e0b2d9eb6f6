// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import EventStore
import MessageStore
import Platform
import AcrossStores

/// What keeps it from taking anything in.
extension Daemon {
    /// Refuses what would fill the disk to its last byte: asking, deleting and retention need some of it.
    func requireDisk() throws(Refusal) {
        guard isShortOfDisk else { return }
        throw Refusal(.storageFull, "The disk is nearly full; nothing of this request was kept.", hint: "Send it again later.", retryAfterSeconds: 10)
    }

    private var isShortOfDisk: Bool {
        freeDisk.bytes(at: store.paths.root) < Int64(settings.storage.minFreeDisk)
    }

    /// Why events would not be taken in now; empty when they would.
    func troubles() -> [String] {
        (isDraining ? ["shutting down"] : []) + standingTroubles.map(\.text)
    }

    /// What does not pass by itself, each with a stable word.
    var standingTroubles: [(cause: String, text: String)] {
        let settings = settings
        var found = storageTroubles().map { (cause: "storage", text: $0) }
        if isShortOfDisk { found.append(("disk", "less than \(settings.storage.minFreeDisk >> 20) MiB of disk are free")) }
        let logs = [store.events.gauges.walBytes, store.messages.gauges.walBytes, store.crashes.gauges.walBytes]
        let wal = Int(logs.reduce(0) { max($0, $1.value) })
        if wal > settings.storage.maxWAL { found.append(("wal", "the write-ahead log has grown to \(wal >> 20) MiB")) }
        return found
    }

    private func storageTroubles() -> [String] {
        let state = store.events.gauges.now
        let found = [state.trouble, state.upkeepTrouble]
        if found.contains(where: { $0?.code == .storageFull }) { return ["the disk is full"] }
        return zip(found, ["the last commit failed", "the last checkpoint failed"]).compactMap { $0 == nil ? nil : $1 }
    }
}
