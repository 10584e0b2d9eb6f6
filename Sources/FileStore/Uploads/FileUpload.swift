// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import Synchronization

/// An upload: its bytes, and the steps that make them a file.
///
///     write, write            bytes go to memory or to a file in `incoming`
///     pause                   synced, the offset committed: the client may be told
///     finish                  synced, moved, and a row committed: the file exists
///
/// One thread at a time writes. `pause` and `finish` of several requests run one after another.
final class FileUpload: Sendable {
    let request: UploadRequest
    /// The ID of an upload of several requests; nil for one request.
    let id: UploadID?
    private let store: FileStore
    private let body: Mutex<UploadBody>
    private let steps = OneAtATime(most: 8)
    private let reservation: FileReservation?
    /// The milliseconds at which the last bytes came; 0 if that was asked since.
    private let timeOfBytes = Atomic<Int64>(0)

    /// - Parameters:
    ///   - stored: The row of an upload of several requests.
    ///   - withMD5: Whether the MD5 is computed.
    init(_ request: UploadRequest, _ stored: StoredUpload? = nil, _ reservation: FileReservation?, withMD5: Bool, in store: FileStore) {
        (self.request, id, self.reservation, self.store) = (request, stored?.id, reservation, store)
        let limit = min(Int64(store.bounds.fileBytes), request.limit ?? .max)
        let state =
            stored.map { UploadState(length: request.length, limit: limit, committed: $0.committed) }
            ?? UploadState(length: request.length, limit: limit)
        let name = stored?.blob ?? .random()
        if stored == nil { store.inFlight.insert(name, of: request) }
        body = Mutex(UploadBody(state, name, app: request.app, store.blobs, withMD5: withMD5))
    }

    deinit { discardWhole() }

    private func discardWhole() {
        guard id == nil else { return }
        let name = body.withLock { body in
            body.discard()
            return body.name
        }
        store.inFlight.remove(name)
    }

    // MARK: Turns

    /// Lets the next request go on, and no other. Returns its number, once all that came before is durable.
    func take() async throws -> Int {
        try await steps.run {
            let turn = self.body.withLock { body in
                body.turn += 1
                return body.turn
            }
            if !self.isOver { _ = try await self.makeDurable(turn) }
            return turn
        }
    }

    private func require(_ turn: Int, _ body: borrowing UploadBody) throws(FileFault) {
        if body.turn != turn { throw .superseded }
    }

    /// The declared length, which may come after the start.
    var length: Int64? { body.withLock { $0.state.length } }
    var isOver: Bool { body.withLock { $0.state.isOver } }
    var received: Int64 { body.withLock { $0.state.received } }
    var isComplete: Bool { body.withLock { $0.state.isComplete } }

    /// The file that the upload became.
    var outcome: StoredFile? { body.withLock { $0.outcome } }

    /// Returns when the last bytes came, once for each time.
    func takeTimeOfBytes() -> Timestamp? {
        let time = timeOfBytes.exchange(0, ordering: .relaxed)
        return time == 0 ? nil : Timestamp(milliseconds: time)
    }

    func overlap(from offset: Int64, _ turn: Int) throws -> Int64 {
        try refusing {
            try body.withLock { body in
                try require(turn, body)
                return try body.state.overlap(from: offset)
            }
        }
    }

    func write(_ bytes: Span<UInt8>, _ turn: Int) throws {
        do {
            try body.withLock { body throws in
                try require(turn, body)
                do { try body.write(bytes) } catch let error as FileError {
                    // Bytes that could not be written do not count as received.
                    body.cut()
                    throw error
                }
            }
            timeOfBytes.store(store.now.milliseconds, ordering: .relaxed)
            store.gauges.uploadedBytes.add(bytes.count)
            try store.reserve.check()
        } catch {
            throw refused(error)
        }
    }

    // MARK: Steps

    /// Declares the length of an upload that began without one: it is reserved, and durable on return.
    func declare(_ length: Int64, _ turn: Int) async throws {
        try await refusing {
            try await self.steps.run {
                guard let id = self.id else { throw UploadState.Fault.closed }
                var state = try self.body.withLock { body in
                    try self.require(turn, body)
                    return body.state
                }
                try state.declare(length)
                var request = self.request
                request.length = length
                try self.store.checkSize(request)
                let isReserved = try self.store.openUploads.declare(length, of: id, self.store.bounds)
                do {
                    try await self.store.change(request.app) { [request] in try $0.declare(request, of: id) }
                } catch {
                    if isReserved { self.store.openUploads.undeclare(id) }
                    throw error
                }
                try self.body.withLock { try $0.declare(length) }
            }
        }
    }

    /// Makes what was received durable and returns the offset.
    func pause(_ turn: Int) async throws -> Int64 {
        try await refusing { try await self.steps.run { try await self.makeDurable(turn) } }
    }

    private func makeDurable(_ turn: Int) async throws -> Int64 {
        guard let id else { throw UploadState.Fault.closed }
        try body.withLock { body in
            try require(turn, body)
            try body.pause()
        }
        do {
            while true {
                let step = body.withLock { $0.state.next }
                switch step {
                case .sync: try await sync()
                case .commitOffset(let offset): try await store.change(request.app) { try $0.commit(offset, of: id) }
                default:
                    return body.withLock { body in
                        body.rest()
                        return body.state.committed
                    }
                }
                body.withLock { $0.did(step) }
            }
        } catch {
            body.withLock { $0.cut() }
            // The row is gone: the upload expired, was cancelled or erased.
            if case FileFault.uploadGone = error { try await removeBytesWithoutRow() }
            throw error
        }
    }

    /// Forgets what was received after the committed offset.
    func cut(_ turn: Int) throws {
        try body.withLock { body in
            try require(turn, body)
            body.cut()
        }
    }

    /// Makes the upload a file and returns its row. Repeated, it returns the same row.
    func finish(_ end: UploadEnd, _ turn: Int) async throws -> StoredFile {
        try await refusing {
            try await self.steps.run {
                if let outcome = self.outcome { return outcome }
                return try await self.end(end, turn)
            }
        }
    }

    private func end(_ end: UploadEnd, _ turn: Int) async throws -> StoredFile {
        try body.withLock { body in
            try require(turn, body)
            try body.end()
        }
        do {
            while true {
                let step = body.withLock { $0.state.next }
                switch step {
                case .readSums:
                    try await store.threads.run {
                        // The lock is free between pieces: others ask how far the upload is.
                        while try self.body.withLock({ try $0.readSomeSums() }) {}
                    }
                case .sync: try await sync()
                case .move: try await store.threads.run { try self.body.withLock { try $0.move() } }
                case .record(let isInline): return try await record(end, isInline: isInline)
                default: throw FileFault.uploadGone
                }
                body.withLock { $0.did(step) }
            }
        } catch {
            try await recover(from: error)
            throw error
        }
    }

    private func sync() async throws {
        let (file, isNew) = try body.withLock { try $0.fileToSync() }
        let begin = ContinuousClock.now
        try await store.threads.run { [incoming = store.blobs.incoming] in
            try file.sync()
            if isNew { try incoming.sync() }
        }
        store.gauges.syncSeconds.observe((ContinuousClock.now - begin) / .seconds(1))
    }

    private func record(_ end: UploadEnd, isInline: Bool) async throws -> StoredFile {
        let request = end.request ?? request
        guard let path = request.path else { throw FileFault.uploadGone }
        let (contents, sums, size, name) = try body.withLock { body in
            let contents = try isInline ? NewFile.Contents.bytes(body.contents()) : .blob(body.name)
            return (contents, try body.takeSums(), body.state.received, body.name)
        }
        guard end.expected.agree(with: sums), request.expected.agree(with: sums) else { throw FileFault.checksumMismatch }
        var new = NewFile(
            app: request.app, path: path, contents: contents, size: size, details: request.details, sums: sums, owner: request.owner,
            tokens: end.tokens)
        (new.depth, new.times, new.isFromClient, new.pendingUntil) = (end.depth, end.times, end.judge != nil, end.pendingUntil)
        let written = WrittenFile(path, size: size, details: request.details, sums: sums)
        let stored = try await store.judged(path, app: request.app, if: request.condition, by: end.judge, written: { _ in written }) {
            [new] condition in
            var new = new
            new.condition = condition
            return try await store.change(request.app, bytes: isInline ? Int(size) : 0) { [id, new, inFlight = store.inFlight] context in
                if inFlight.isErased(name) { throw FileFault.uploadGone }
                if let id { try context.finish(id, removesFile: isInline) }
                return try context.record(new)
            }
        }
        body.withLock { body in
            body.outcome = stored
            body.close()
        }
        store.inFlight.remove(name)
        if let id { store.openUploads.ended(id, self) }
        return stored
    }

    /// Leaves an upload whose end failed in a state to go on from; ends it if trying again cannot help.
    private func recover(from error: any Error) async throws {
        if id == nil { return discardWhole() }
        body.withLock { $0.reopen() }
        switch error as? FileFault {
        case .uploadGone: try await removeBytesWithoutRow()
        case .conditionFailed, .denied, .checksumMismatch, .appQuotaExceeded, .userQuotaExceeded: try await cancelNow()
        default: break
        }
    }

    // MARK: Ends

    /// Removes the bytes of an upload whose row went while they were written or had their final place: the removal of the row may have looked
    /// for them in vain.
    private func removeBytesWithoutRow() async throws {
        guard let id else { return }
        let name = body.withLock { $0.name }
        let isGone = try await store.change(request.app) { context in
            try context.file.upload(id) == nil && !context.file.hasFile(name)
        }
        guard isGone else { return }
        store.openUploads.remove(id)
        body.withLock { $0.remove() }
    }

    /// Ends the upload without a file.
    func cancel() async throws {
        guard id != nil else { return discardWhole() }
        try await steps.run { try await self.cancelNow() }
    }

    private func cancelNow() async throws {
        guard let id else { return }
        body.withLock { $0.close() }
        store.openUploads.remove(id)
        try await store.change(request.app) { context in
            if let upload = try context.file.upload(id) { try context.cancel(upload) }
        }
    }

    /// Ends an upload whose row is gone.
    func close() { body.withLock { $0.close() } }

    // MARK: Faults

    private func refusing<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw refused(error) }
    }

    private func refusing<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch { throw refused(error) }
    }

    /// Returns the error that the caller sees.
    private func refused(_ error: any Error) -> any Error {
        switch error {
        case let fault as UploadState.Fault: return FileFault.upload(fault)
        case is FileError: return Refusal.storage(error)
        default: return error
        }
    }
}
