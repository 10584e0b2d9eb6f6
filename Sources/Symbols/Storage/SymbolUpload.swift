// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Crypto
import Platform

/// A symbol file upload. It is a temporary file until it is complete and valid; dropping it leaves nothing.
package struct SymbolUpload: ~Copyable {
    private let file: File
    private let app: Int64
    private let folder: SymbolFolder
    private let most: Int
    private let isOfBatch: Bool
    /// The running sum; nil once it has been read.
    private var sum: SHA256? = SHA256()
    private var bytes = 0

    init(_ file: File, of app: Int64, to folder: SymbolFolder, most: Int, isOfBatch: Bool) {
        self.file = file
        self.app = app
        self.folder = folder
        self.most = most
        self.isOfBatch = isOfBatch
    }

    deinit {
        // After `finish` there is no file with this name.
        try? Folder.remove(file.path)
    }

    package mutating func write(_ piece: [UInt8]) throws(SymbolFileError) {
        guard piece.count <= most - bytes else { throw .tooLarge(most) }
        do throws(FileError) {
            try file.write(piece)
        } catch {
            throw error.isFull ? .diskFull : .unreadable
        }
        sum?.update(piece.span)
        bytes += piece.count
    }

    /// A further inspection of a file by its name in the folder of symbols.
    package typealias Check = (String, SymbolFormat) throws(SymbolFileError) -> Void

    /// Inspects the file and makes it durable. `id` is the build it was uploaded for, if stated.
    package consuming func finish(for id: DebugID?, check: Check = { _, _ in }) throws(SymbolFileError) -> StoredSymbolFile {
        let contents = try SymbolFile.inspect(file.path, for: id)
        let ids = contents.objects.map(\.debugID)
        if let id, !ids.contains(id) { throw .otherBuild(ids) }
        try check(folder.incomingName(of: file.path), contents.format)
        let (name, bytes) = try keep()
        return StoredSymbolFile(sum: name, bytes: bytes, contents: contents)
    }

    /// Makes a source map durable under an ID, whatever its own is.
    package consuming func finish(as id: DebugID, check: Check = { _, _ in }) throws(SymbolFileError) -> StoredSymbolFile {
        var contents = try SymbolFile.inspect(file.path, for: id)
        guard contents.format == .sourceMap else { throw .notSourceMap }
        try check(folder.incomingName(of: file.path), .sourceMap)
        contents.objects[0].debugID = id
        let (name, bytes) = try keep()
        return StoredSymbolFile(sum: name, bytes: bytes, contents: contents)
    }

    /// Makes a file durable that belongs to a symbol file, without inspecting it. Returns its sum and size.
    package consuming func finishUninspected() throws(SymbolFileError) -> (sum: String, bytes: Int) { try keep() }

    private mutating func keep() throws(SymbolFileError) -> (sum: String, bytes: Int) {
        do throws(FileError) {
            try file.sync()
        } catch {
            throw error.isFull ? .diskFull : .unreadable
        }
        let name = Hex.encode(sum.take()?.finish() ?? [])
        try folder.keep(file.path, app: app, sum: name, bytes: bytes, isOfBatch: isOfBatch)
        return (name, bytes)
    }
}

/// A symbol file in its folder.
package struct StoredSymbolFile: Sendable, Equatable {
    /// The SHA-256 in hexadecimal digits, which is its name.
    package let sum: String
    package let bytes: Int
    package let contents: SymbolFile
}
