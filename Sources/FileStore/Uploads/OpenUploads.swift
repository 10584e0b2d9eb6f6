// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The uploads of several requests that were used since the start, with their sums so far, and those that ended last.
final class OpenUploads: Sendable {
    /// The ended uploads that are kept, so that a repeated last request gets the same response.
    private static let endedKept = 1_000

    private struct State {
        var uploads: [UploadID: FileUpload] = [:]
        var ended: [UploadID] = []
        /// The addresses of uploads that count for theirs, and the numbers of those.
        var addresses: [UploadID: String] = [:]
        var byAddress: [String: Int] = [:]

        mutating func leave(_ id: UploadID) {
            guard let address = addresses.removeValue(forKey: id), let count = byAddress[address] else { return }
            byAddress[address] = count > 1 ? count - 1 : nil
        }
    }

    private let state = Mutex(State())

    func known(_ id: UploadID) -> FileUpload? { state.withLock { $0.uploads[id] } }

    /// Adds an upload unless another request did, and returns the one that is known.
    func add(_ id: UploadID, _ upload: FileUpload) -> FileUpload {
        state.withLock { state in
            if let known = state.uploads[id] { return known }
            state.uploads[id] = upload
            return upload
        }
    }

    /// Counts a new upload for the address of its client, until it ends. Returns false if the address has too many. A restart forgets the numbers.
    func enter(_ id: UploadID, _ address: String, most: Int) -> Bool {
        state.withLock { state in
            guard state.byAddress[address, default: 0] < most else { return false }
            state.byAddress[address, default: 0] += 1
            state.addresses[id] = address
            return true
        }
    }

    /// Keeps an upload that became a file for repeated requests.
    func ended(_ id: UploadID, _ upload: FileUpload) {
        let oldest = state.withLock { state -> FileUpload? in
            state.leave(id)
            state.uploads[id] = upload
            state.ended.append(id)
            guard state.ended.count > OpenUploads.endedKept else { return nil }
            return state.uploads.removeValue(forKey: state.ended.removeFirst())
        }
        // Released outside the lock.
        _ = oldest
    }

    /// Forgets uploads that became files for which a condition holds.
    func forgetEnded(where isForgotten: (StoredFile) -> Bool) {
        let ended = state.withLock { state in state.ended.compactMap { id in state.uploads[id].map { (id: id, upload: $0) } } }
        let gone = Set(ended.filter { $0.upload.outcome.map(isForgotten) ?? false }.map(\.id))
        state.withLock { state in
            for id in gone { state.uploads[id] = nil }
            state.ended.removeAll(where: gone.contains)
        }
    }

    /// The uploads that received bytes since the last call, with the times of their last ones.
    func receiving() -> [(id: UploadID, at: Timestamp)] {
        state.withLock { $0.uploads }.compactMap { id, upload in upload.takeTimeOfBytes().map { (id, $0) } }
    }

    /// Forgets all uploads, which refer to the store.
    func clear() { state.withLock { $0 = State() } }

    @discardableResult
    func remove(_ id: UploadID) -> FileUpload? {
        state.withLock { state in
            state.leave(id)
            return state.uploads.removeValue(forKey: id)
        }
    }
}

/// The names of files on the disk that have no row yet, which the sweep must leave.
final class BlobsInFlight: Sendable {
    private let names = Mutex<Set<BlobName>>([])

    func insert(_ name: BlobName) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: BlobName) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: BlobName) -> Bool { names.withLock { $0.contains(name) } }
}
