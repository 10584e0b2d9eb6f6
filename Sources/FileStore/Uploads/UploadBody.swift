// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

/// The bytes of an upload: its state, its sums and its file in `incoming`.
struct UploadBody: ~Copyable {
    private static let chunk = 1 << 20

    private(set) var state: UploadState
    let name: BlobName
    private let app: AppID
    private let blobs: BlobFolder
    private let withMD5: Bool
    private var sums: FileSumming?
    /// Sums of bytes that are being read again, and their number.
    private var reading: FileSumming?
    private var sumsRead: Int64 = 0
    /// The bytes of a small upload.
    private var kept: [UInt8] = []
    private var file: File?
    /// Whether the file's name in `incoming` is durable.
    private var isNamed = false
    /// The number of the request that goes on with the upload.
    var turn = 0
    var outcome: StoredFile?

    init(_ state: UploadState, _ name: BlobName, app: AppID, _ blobs: BlobFolder, withMD5: Bool) {
        (self.state, self.name, self.app, self.blobs, self.withMD5) = (state, name, app, blobs, withMD5)
        sums = state.committed == 0 ? FileSumming(withMD5: withMD5) : nil
    }

    // MARK: Receiving

    mutating func write(_ bytes: Span<UInt8>) throws {
        switch try state.receive(bytes.count) {
        case .memory: keep(bytes)
        case .newFile: try spill(bytes)
        case .file(let offset): try opened().write(bytes, at: offset)
        }
        sums?.update(bytes)
    }

    private mutating func keep(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe kept.append(contentsOf: $0) }
    }

    /// Writes the bytes in memory to a new file, then those that do not fit.
    private mutating func spill(_ bytes: Span<UInt8>) throws(FileError) {
        let new = try blobs.incoming.file(name.text, .new)
        file = new
        try new.write(kept.span, at: 0)
        try new.write(bytes, at: Int64(kept.count))
        kept = []
    }

    /// Returns the file, opened again after a pause and cut to what was received.
    private mutating func opened() throws(FileError) -> File {
        if let file { return file }
        let reopened = try openAgain()
        // Bytes behind the synced offset were never acknowledged, and the client sends them again.
        try reopened.truncate(to: state.synced)
        file = reopened
        return reopened
    }

    private func openAgain() throws(FileError) -> File {
        if state.committed == 0 { return try blobs.incoming.file(name.text, .keep) }
        do {
            return try blobs.incoming.file(name.text, .keepExisting)
        } catch  where error.isMissing {
            // The process was killed after the file got its final place and before its row was committed.
            try blobs.moveBack(name, app: app)
            return try blobs.incoming.file(name.text, .keepExisting)
        }
    }

    // MARK: Steps

    mutating func pause() throws(UploadState.Fault) { try state.pause() }
    mutating func declare(_ length: Int64) throws(UploadState.Fault) { try state.declare(length) }
    mutating func end() throws(UploadState.Fault) { try state.end() }
    mutating func did(_ step: UploadState.Step) { state.did(step) }

    /// Returns the file to sync, with whether its name must be synced, too.
    mutating func fileToSync() throws(FileError) -> (file: File, isNew: Bool) {
        defer { isNamed = true }
        return (try opened(), !isNamed)
    }

    /// Closes the file between requests, so that idle uploads have no descriptor.
    mutating func rest() { file = nil }

    /// Reads one more piece of the file for its sums. Returns whether others follow.
    mutating func readSomeSums() throws -> Bool {
        guard state.next == .readSums else { throw FileFault.uploadGone }
        if sumsRead == 0 { reading = FileSumming(withMD5: withMD5) }
        if sumsRead < state.received {
            let bytes = try opened().read(at: Int(sumsRead), count: min(UploadBody.chunk, Int(state.received - sumsRead)))
            if bytes.isEmpty { throw FileFault.uploadGone }
            reading?.update(bytes.span)
            sumsRead += Int64(bytes.count)
        }
        if sumsRead < state.received { return true }
        sums = reading.take()
        sumsRead = 0
        return false
    }

    /// Returns the sums. Called once, at the end.
    mutating func takeSums() throws(FileFault) -> FileSums {
        guard let summing = sums.take() else { throw .uploadGone }
        return summing.finish()
    }

    /// Returns all bytes of a small upload.
    mutating func contents() throws -> [UInt8] {
        if !kept.isEmpty || state.received == 0 { return kept }
        return try opened().read(at: 0, count: Int(state.received))
    }

    func move() throws(FileError) { try blobs.move(name, to: name, app: app) }

    // MARK: Ends

    /// Forgets what was received after the committed offset.
    mutating func cut() {
        let isWhole = state.received == state.committed && sums != nil
        state.cut()
        (kept, file, sumsRead) = ([], nil, 0)
        if !isWhole { sums = state.committed == 0 ? FileSumming(withMD5: withMD5) : nil }
    }

    /// Goes on after an end that failed: with all bytes if they are on the disk, otherwise from the committed offset.
    mutating func reopen() {
        if state.synced < state.received { return cut() }
        if state.isMoved { try? blobs.moveBack(name, app: app) }
        state.reopen()
        (file, sumsRead) = (nil, 0)
        sums = state.received == 0 ? FileSumming(withMD5: withMD5) : nil
    }

    /// Removes an upload of one request that ends without a row.
    mutating func discard() {
        if state.isOver { return }
        let wasMoved = state.isMoved
        state.close()
        (kept, file) = ([], nil)
        sums = nil
        try? blobs.incoming.remove(name.text)
        if wasMoved { blobs.discard(name, app: app) }
    }

    /// Removes the bytes of an upload that has neither a row nor a file, wherever they are.
    mutating func remove() {
        close()
        try? blobs.incoming.remove(name.text)
        blobs.discard(name, app: app)
    }

    mutating func close() {
        state.close()
        (kept, file) = ([], nil)
        sums = nil
    }
}
