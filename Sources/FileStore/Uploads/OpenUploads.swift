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
        /// The uploads of clients, which count for their addresses, with the numbers of those.
        var ofClients: [UploadID: CountedUpload] = [:]
        var byAddress: [String: AddressUploads] = [:]
        var reservations = ClientReservations()

        mutating func leave(_ id: UploadID) {
            guard let upload = ofClients.removeValue(forKey: id) else { return }
            reservations.free(upload)
            leave(upload.client)
        }

        mutating func leave(_ client: UploadClient) {
            byAddress[client.address]?.remove(client.user)
            if byAddress[client.address]?.isEmpty ?? false { byAddress[client.address] = nil }
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

    /// Counts a new upload for the address of its client, until it ends. Returns false if the address has too many, or they declare too many bytes.
    /// A restart forgets the numbers.
    func enter(_ id: UploadID, _ upload: CountedUpload, _ bounds: FileBounds) -> Bool {
        state.withLock { state in
            let client = upload.client
            guard state.byAddress[client.address, default: AddressUploads()].add(client.user, most: bounds.openUploadsOfAddress) else { return false }
            guard state.reservations.take(upload, bounds) else {
                state.leave(client)
                return false
            }
            state.ofClients[id] = upload
            return true
        }
    }

    /// Reserves the length of a client's upload that began without one. Returns whether it did: an upload with a length keeps it, and those of
    /// servers are not counted.
    func declare(_ length: Int64, of id: UploadID, _ bounds: FileBounds) throws -> Bool {
        try state.withLock { state in
            guard var upload = state.ofClients[id], upload.length == 0 else { return false }
            upload.length = length
            guard state.reservations.take(upload, bounds) else { throw FileFault.tooManyUploads }
            state.ofClients[id] = upload
            return true
        }
    }

    /// Frees the length of an upload whose declaration failed after `declare` reserved it.
    func undeclare(_ id: UploadID) {
        state.withLock { state in
            guard let upload = state.ofClients[id] else { return }
            state.reservations.free(upload)
            state.ofClients[id]?.length = 0
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

/// The client that began an upload: an address, and the user of an app, if there is one.
struct UploadClient: Hashable {
    struct User: Hashable {
        var app: AppID
        var uid: String
    }

    var address: String
    var user: User?
}

/// An open upload that counts for its client, with its declared length; 0 without one.
struct CountedUpload {
    var client: UploadClient
    var app: AppID
    var length: Int64
}

/// The declared lengths of clients' open uploads: of an app, and of each address within it.
struct ClientReservations {
    private struct Account: Hashable {
        var app: AppID
        /// Nil for all addresses.
        var address: String?
    }

    private var taken: [Account: Int64] = [:]

    /// Returns false without a change if an account would have more bytes than it may.
    mutating func take(_ upload: CountedUpload, _ bounds: FileBounds) -> Bool {
        let accounts = ClientReservations.accounts(of: upload)
        for (account, most) in zip(accounts, [bounds.reservedBytesOfClients, bounds.reservedBytesOfAddress])
        where taken[account, default: 0] + upload.length > most { return false }
        if upload.length > 0 { for account in accounts { taken[account, default: 0] += upload.length } }
        return true
    }

    mutating func free(_ upload: CountedUpload) {
        for account in ClientReservations.accounts(of: upload) {
            guard let left = taken[account].map({ $0 - upload.length }) else { continue }
            taken[account] = left > 0 ? left : nil
        }
    }

    private static func accounts(of upload: CountedUpload) -> [Account] {
        [Account(app: upload.app), Account(app: upload.app, address: upload.client.address)]
    }
}

/// The open uploads of an address.
///
/// Users who share an address share its places. When these are taken, each user who has none still gets one, so that they do not block each
/// other. As anyone may sign up as many users, that ends, too:
///
///     100 places   ann 60, bob 40   →   bob: none   eve: one, then none   …   1,000 users with one each: none for others
struct AddressUploads {
    private static let usersBeyond = 10

    private var ofNobody = 0
    private var ofUsers = 0
    private var byUser: [UploadClient.User: Int] = [:]

    var isEmpty: Bool { ofNobody == 0 && ofUsers == 0 }

    /// Returns false without a change if there is no place. Clients without a token have as many places of their own.
    mutating func add(_ user: UploadClient.User?, most: Int) -> Bool {
        guard let user else {
            if ofNobody >= most { return false }
            ofNobody += 1
            return true
        }
        guard ofUsers < (byUser[user] == nil ? most * AddressUploads.usersBeyond : most) else { return false }
        ofUsers += 1
        byUser[user, default: 0] += 1
        return true
    }

    mutating func remove(_ user: UploadClient.User?) {
        guard let user else {
            ofNobody -= 1
            return
        }
        ofUsers -= 1
        if let count = byUser[user] { byUser[user] = count > 1 ? count - 1 : nil }
    }
}

/// The names of files on the disk that have no row yet, which the sweep must leave.
final class BlobsInFlight: Sendable {
    private struct Blob {
        /// The request of an upload of one request.
        var request: UploadRequest?
        var isErased = false
    }

    private let blobs = Mutex<[BlobName: Blob]>([:])

    func insert(_ name: BlobName, of request: UploadRequest? = nil) { blobs.withLock { $0[name] = Blob(request: request) } }
    func remove(_ name: BlobName) { blobs.withLock { $0[name] = nil } }
    func contains(_ name: BlobName) -> Bool { blobs.withLock { $0[name] != nil } }

    /// Marks uploads of one request that began before an erasure. They become no files.
    func erase(_ isErased: (UploadRequest) -> Bool) {
        blobs.withLock { blobs in
            for (name, blob) in blobs where blob.request.map(isErased) ?? false { blobs[name]?.isErased = true }
        }
    }

    /// Whether an erasure took an upload.
    func isErased(_ name: BlobName) -> Bool { blobs.withLock { $0[name]?.isErased ?? false } }
}
