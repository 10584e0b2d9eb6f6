// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Platform
import Synchronization

/// The folder of an export of files: their entries as lines, and their bytes by their SHA-256. Equal bytes are there once.
///
///     shop/files.ndjson          appears when all bytes are there
///     shop/bytes/9f/9f86d081…
struct FileExportFolder: Sendable {
    static let linesName = "files.ndjson"
    private static let bytesName = "bytes"

    let root: OpenFolder
    private let bytes: OpenFolder

    /// Opens the folder of an export, or makes one.
    init(making path: String) throws(Failure) {
        do throws(FileError) {
            try Folder.make(path)
            root = try OpenFolder(path)
            bytes = try root.makeFolder(Self.bytesName)
        } catch { throw Failure("Could not write to \(path): \(error).", hint: "Name a folder that you may write to.") }
    }

    /// Opens the folder of a whole export.
    init(_ path: String) throws(Failure) {
        let hint = "Name the folder of a whole export. If the export was interrupted, run it again."
        do throws(FileError) {
            root = try OpenFolder(path)
            bytes = try root.folder(Self.bytesName)
            _ = try root.file(Self.linesName, .read)
        } catch { throw Failure("Could not read \(path): \(error).", hint: hint) }
    }

    /// Opens the bytes with a sum; nil if there are none of this size.
    func open(_ sum: ExportedBytes) -> File? {
        guard let file = try? bytes.folder(sum.folder).file(sum.name, .readNoLink), (try? file.size) == sum.size else { return nil }
        return file
    }

    /// Begins to write bytes, which get their name when they are whole.
    func begin(_ sum: ExportedBytes) throws(FileError) -> BytesOutput { try BytesOutput(sum, in: bytes.makeFolder(sum.folder)) }
}

/// Bytes of an export: their sum and size.
struct ExportedBytes: Hashable, Sendable {
    let name: String
    let size: Int

    /// Reads the entry of a file; nil if it has no sum, which becomes a name of a file.
    init?(_ entry: ControlReply) {
        guard let name = entry["sha256"]?.string, Hex.decode(name)?.count == 32, let size = entry["size"]?.integer, size >= 0 else { return nil }
        (self.name, self.size) = (name, Int(size))
    }

    var folder: String { String(name.prefix(2)) }
}

/// Bytes that are being written.
final class BytesOutput: Sendable {
    private struct State: ~Copyable {
        var hash: SHA256? = SHA256()
        var offset = 0
    }

    private let sum: ExportedBytes
    private let folder: OpenFolder
    private let file: File
    private let state = Mutex(State())
    private var partial: String { sum.name + ".part" }

    fileprivate init(_ sum: ExportedBytes, in folder: OpenFolder) throws(FileError) {
        (self.sum, self.folder) = (sum, folder)
        file = try folder.file(sum.name + ".part", .create)
    }

    func write(_ bytes: [UInt8]) throws {
        let offset = state.withLock { state in
            state.hash?.update(bytes.span)
            defer { state.offset += bytes.count }
            return state.offset
        }
        try file.write(bytes.span, at: Int64(offset))
    }

    /// Gives the bytes their name, durably. Returns false, and removes them, if they have another sum.
    func finish() throws(FileError) -> Bool {
        let (found, count) = state.withLock { state in (Hex.encode(state.hash.take()?.finish() ?? []), state.offset) }
        guard found.utf8.elementsEqual(sum.name.utf8), count == sum.size else {
            try folder.remove(partial)
            return false
        }
        try file.sync()
        try folder.move(partial, to: folder, as: sum.name)
        try folder.sync()
        return true
    }

    func discard() { try? folder.remove(partial) }
}
