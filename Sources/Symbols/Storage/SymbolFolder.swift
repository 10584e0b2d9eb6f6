// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// The stored symbol files, each named by its SHA-256 in its app's folder. A file is complete or absent.
package struct SymbolFolder: Sendable {
    package struct Limits: Sendable {
        package var fileBytes = 1 << 30
        package var appBytes: Int64 = 10 << 30
        package var filesPerApp = 20_000
        /// The disk space that uploads leave free.
        package var freeBytes: Int64 = 1 << 30

        package init() {}

        package static let settings: [Setting<Limits>] = [
            Setting("symbol_file", .size(1 << 10...1 << 40), \.fileBytes, "Size limit of a symbol file"),
            Setting("symbol_bytes", .size(1 << 10...1 << 50), \.appBytes, "Size limit of all symbol files of an app"),
        ]
    }

    package let path: String
    private let limits: Limits

    /// Creates the folder if necessary and removes remains of interrupted uploads.
    package init(_ path: String, limits: Limits = Limits()) throws(FileError) {
        self.path = path
        self.limits = limits
        try Folder.makeAll(incoming)
        for name in try Folder.names(in: incoming) { try Folder.remove(incoming + "/" + name) }
    }

    /// The size limit of a file.
    package var fileBytes: Int { limits.fileBytes }

    private var incoming: String { path + "/incoming" }

    /// Returns the name of a file being uploaded, for programs that work in the folder.
    func incomingName(of path: String) -> String { String(path.dropFirst(self.path.count + 1)) }

    /// Starts an upload for an app.
    package func receive(app: Int64) throws(SymbolFileError) -> SymbolUpload {
        try checkSpace(app, for: 0)
        return try receive(app: app, isOfBatch: false)
    }

    /// Checks the limits for several files at once. Checking and syncing for each would take quadratic time.
    package func beginBatch(app: Int64, files: Int, bytes: Int) throws(SymbolFileError) {
        try checkSpace(app, for: Int64(bytes), files: files)
    }

    /// Starts the upload of a file of a batch.
    package func receiveOfBatch(app: Int64) throws(SymbolFileError) -> SymbolUpload { try receive(app: app, isOfBatch: true) }

    /// Makes the names of a batch's files durable.
    package func endBatch(app: Int64) throws(SymbolFileError) {
        do throws(FileError) { try syncNames(app) } catch { throw .unreadable }
    }

    private func receive(app: Int64, isOfBatch: Bool) throws(SymbolFileError) -> SymbolUpload {
        do throws(FileError) {
            let name = incoming + "/" + Hex.encode(randomBytes(16))
            return SymbolUpload(try File(name, .create), of: app, to: self, most: limits.fileBytes, isOfBatch: isOfBatch)
        } catch {
            throw error.isFull ? .diskFull : .unreadable
        }
    }

    /// Returns the name of a file for the other modules.
    package static func name(app: Int64, sum: String) -> String { "\(app)/\(sum)" }

    /// Returns the path of the folder of a file: `1/9f86…` in `/data/symbols` → `/data/symbols/1`.
    static func folder(of name: String, in path: String) -> String {
        name.lastIndex(of: "/").map { path + "/" + name[..<$0] } ?? path
    }

    /// Returns the sum in a file's name.
    package static func sum(of name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }

    package func remove(app: Int64, sum: String) throws(FileError) {
        try Folder.remove(path + "/" + SymbolFolder.name(app: app, sum: sum))
    }

    /// Returns the apps that have or had files.
    package func apps() throws(FileError) -> [Int64] {
        try Folder.names(in: path).compactMap { Int64($0) }
    }

    /// Removes an app's files except those with the given sums.
    package func keepOnly(_ sums: Set<String>, app: Int64) throws(FileError) {
        let folder = "\(path)/\(app)"
        for name in try Folder.names(in: folder) where !sums.contains(name) { try Folder.remove(folder + "/" + name) }
    }

    /// Renames a durable upload to its final name.
    func keep(_ file: String, app: Int64, sum: String, bytes: Int, isOfBatch: Bool) throws(SymbolFileError) {
        let folder = "\(path)/\(app)"
        if !isOfBatch, !Folder.exists(folder + "/" + sum) { try checkSpace(app, for: Int64(bytes)) }
        do throws(FileError) {
            try Folder.make(folder)
            try Folder.rename(file, to: folder + "/" + sum)
            if !isOfBatch { try syncNames(app) }
        } catch {
            throw error.isFull ? .diskFull : .unreadable
        }
    }

    private func syncNames(_ app: Int64) throws(FileError) {
        try Folder.sync("\(path)/\(app)")
        try Folder.sync(path)
    }

    /// Checks the limits. The sizes are counted each time, so no counter can drift.
    private func checkSpace(_ app: Int64, for bytes: Int64, files: Int = 1) throws(SymbolFileError) {
        let folder = "\(path)/\(app)"
        let names = (try? Folder.names(in: folder)) ?? []
        let held = names.reduce(0) { $0 + Folder.size(of: folder + "/" + $1) }
        guard names.count + files <= limits.filesPerApp, held + bytes <= limits.appBytes else { throw .tooMany }
        guard let free = try? Folder.freeBytes(at: path), free >= limits.freeBytes else { throw .diskFull }
    }
}
