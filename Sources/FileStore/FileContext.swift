// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform

/// The database as the writer's changes see it, with the stamp of the last change.
package final class FileContext {
    let file: FileDB
    let bounds: FileBounds
    private let reservations: FileReservations
    private let clock: WallClock
    private let activity: FileActivity
    let openUploads: OpenUploads
    private(set) var stamp: Int64
    private var written: Int64
    /// Whether the transaction left files to remove from the disk.
    var leaves = false
    /// Whether the transaction stored a file that waits for a function.
    var holds = false
    /// The uploads that the transaction ended without a file.
    var endedUploads: [UploadID] = []
    /// The uploads that the transaction stored.
    var stored: [(app: AppID, bytes: Int64)] = []

    init(
        _ file: FileDB, _ bounds: FileBounds, _ reservations: FileReservations, _ clock: WallClock, _ activity: FileActivity,
        _ openUploads: OpenUploads
    ) throws {
        (self.file, self.bounds, self.reservations, self.clock) = (file, bounds, reservations, clock)
        (self.activity, self.openUploads) = (activity, openUploads)
        stamp = try file.stamp()
        written = stamp
    }

    var now: Timestamp { clock.now() }

    /// Returns the stamp of a new change: the time, but always after the last one.
    func nextStamp() -> Int64 {
        stamp = max(now.milliseconds * 1_000, stamp + 1)
        return stamp
    }

    // MARK: Transactions

    func begin() { (leaves, holds, endedUploads, stored) = (false, false, [], []) }

    func writeStamp() throws { if stamp != written { try file.set(stamp: stamp) } }

    /// Ends a transaction: its stamp is durable, or the one before holds again.
    func end(isCommitted: Bool) {
        guard isCommitted else {
            stamp = written
            return
        }
        written = stamp
        for file in stored { activity.noteUpload(file.bytes, app: file.app, at: now) }
    }

    /// Goes back to the stamp before a change that failed.
    func go(back stamp: Int64) { self.stamp = stamp }

    // MARK: Quotas

    /// Throws if more bytes in place of a file exceed the quota of the app or of the owner, with what open uploads declared.
    func requireQuota(of request: UploadRequest) throws {
        for part in try file.space(for: request, bounds) where reservations.bytes(of: part.account) + (request.length ?? 0) > part.bytes {
            throw part.fault
        }
    }

    /// Throws if a file that takes the place of another exceeds a quota. What open uploads declared does not count: each is judged at its end.
    func requireFinalQuota(_ size: Int64, of owner: String?, app: AppID, instead old: StoredFile?) throws {
        let ofApp = try file.usage(FileAccount(app: app, owner: ""))
        let isFull = old == nil && ofApp.files >= FileContext.files(in: bounds.appBytes)
        if isFull || ofApp.bytes - (old?.size ?? 0) + size > Int64(bounds.appBytes) { throw FileFault.appQuotaExceeded }
        guard let owner, bounds.userBytes > 0 else { return }
        let isOwn = old?.owner.map { $0.hasSameBytes(as: owner) } ?? false
        let ofOwner = try file.usage(FileAccount(app: app, owner: owner))
        let ownerIsFull = !isOwn && ofOwner.files >= FileContext.files(in: bounds.userBytes)
        if ownerIsFull || ofOwner.bytes - (isOwn ? old?.size ?? 0 : 0) + size > Int64(bounds.userBytes) { throw FileFault.userQuotaExceeded }
    }

    /// The number of files that a quota allows, as the row of an empty one takes space, too.
    private static func files(in bytes: Int) -> Int64 { Int64(max(100, bytes >> 10)) }
}
