// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import HTTPClient
import JSON
import Platform
import Synchronization

/// `ingestd files put` and `ingestd files get`. Both compare the bytes with the sum that the daemon has.
enum FileTransferCommands {
    static let all = [put, get]

    /// The size of the parts of a resumable upload. A smaller file is one request.
    private static let partBytes = 8 << 20
    private static let type = Option("--type", .text("TYPE"), "The media type, such as image/png.")

    // MARK: Upload

    private static let put = Command(
        "files put", "Stores a file under a path; one that is there is replaced.", operands: ["FILE", "PATH"], options: [type] + FileCommands.common
    ) { arguments in
        let (name, path) = (arguments.operand(0), arguments.operand(1))
        let source = try LocalFile(name)
        let kind = arguments.one(type.name) ?? FileDetails.unknownType
        let stored = try await DataFolder(arguments).perform { socket in
            if source.size <= partBytes {
                let body = try source.read(at: 0, count: partBytes)
                return try await socket.send("PUT", FileCommands.target(path, arguments), body, type: kind, timeout: .seconds(600))
            }
            try await upload(source, to: path, kind, arguments, socket)
            return try await socket.get(FileCommands.target(path, arguments) + "?info=1")
        }
        guard try source.sum().utf8.elementsEqual(stored.text("sha256").utf8) else {
            throw Failure("\(path) has other bytes than \(name).", hint: "The file was changed meanwhile. Store it again.")
        }
        if arguments.has(.json) { return try Console.print(stored) }
        try Console.print("Stored \(stored.text("size")) bytes as \(path).")
    }

    private static func upload(_ source: LocalFile, to path: String, _ kind: String, _ arguments: Arguments, _ socket: ControlSocket) async throws {
        let progress = Progress()
        defer { progress.end() }
        let metadata = [("path", path), ("type", kind)].map { "\($0) \(Base64.encode(Array($1.utf8)))" }.joined(separator: ",")
        let made = try await socket.exchange(
            "POST", "/v1/uploads/\(FileCommands.app(arguments))",
            [TusUploads.version, ("Upload-Length", "\(source.size)"), ("Upload-Metadata", metadata)])
        guard let location = made.header("Location") else { throw Failure("The daemon named no upload.", hint: nil) }
        var offset = 0
        while offset < source.size {
            let part = try source.read(at: offset, count: partBytes)
            let answer = try await socket.exchange(
                "PATCH", location,
                [TusUploads.version, ("Upload-Offset", "\(offset)"), ("Content-Type", TusUploads.pieceType)], part)
            guard let next = answer.header("Upload-Offset").flatMap({ Int($0) }), next > offset else {
                throw Failure("The upload made no progress.", hint: "Was \(source.name) cut meanwhile?")
            }
            offset = next
            progress.show("Uploading", offset, of: source.size)
        }
    }

    // MARK: Download

    private static let get = Command(
        "files get", "Reads a file into another, or to standard output without one.", operands: ["PATH", "[FILE]"],
        options: [.app.required, .data, .config]
    ) { arguments in
        let path = arguments.operand(0)
        let target = FileCommands.target(path, arguments)
        let output = LocalOutput(arguments.operands.count > 1 ? arguments.operand(1) : nil)
        let info = try await DataFolder(arguments).perform { socket in
            let info = try await socket.get(target + "?info=1")
            try output.begin(Int(info["size"]?.integer ?? 0))
            try await socket.stream(target) { try output.write($0) }
            return info
        }
        guard output.sum.utf8.elementsEqual(info.text("sha256").utf8) else {
            output.discard()
            throw Failure("The bytes of \(path) have another sum than its entry.", hint: "It may have been replaced meanwhile. Read it again.")
        }
        try output.finish()
    }
}

/// A file to upload.
private struct LocalFile: Sendable {
    let name: String
    let size: Int
    private let file: File

    init(_ name: String) throws(Failure) {
        self.name = name
        do throws(FileError) {
            file = try File(name, .read)
            size = try file.size
        } catch { throw Failure("Could not read \(name): \(error).", hint: "Name a file.") }
    }

    func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
        do throws(FileError) { return try file.read(at: offset, count: count) } catch {
            throw Failure("Could not read \(name): \(error).", hint: nil)
        }
    }

    func sum() throws(Failure) -> String {
        var hash = SHA256()
        var offset = 0
        while case let bytes = try read(at: offset, count: 1 << 20), !bytes.isEmpty {
            hash.update(bytes.span)
            offset += bytes.count
        }
        return Hex.encode(hash.finish())
    }
}

/// The place of a download: a file, which appears when it is whole, or standard output.
private final class LocalOutput: Sendable {
    private struct State: ~Copyable {
        var hash: SHA256? = SHA256()
        var offset = 0
        var size = 0
        /// Nil before the daemon has a file to read, and for standard output.
        var file: File?
    }

    private let name: String?
    private let state = Mutex(State())
    private let progress: Progress?

    init(_ name: String?) {
        self.name = name
        progress = name == nil ? nil : Progress()
    }

    private func open() throws(Failure) -> File? {
        guard let name else { return nil }
        do throws(FileError) { return try File(LocalOutput.partial(name), .create) } catch {
            throw Failure("Could not write \(name): \(error).", hint: "Name a file in a folder that you may write to.")
        }
    }

    private static func partial(_ name: String) -> String { name + ".part" }

    /// Begins, or begins again.
    func begin(_ size: Int) throws {
        let file = try open()
        let written = state.withLock { state in
            let written = state.offset
            state = State(hash: SHA256(), offset: 0, size: size, file: file)
            return written
        }
        if written > 0, file == nil { throw Failure("The file was interrupted.", hint: "Read it again.") }
    }

    func write(_ bytes: [UInt8]) throws {
        let (file, offset, size) = state.withLock { state in
            state.hash?.update(bytes.span)
            defer { state.offset += bytes.count }
            return (state.file, state.offset, state.size)
        }
        guard let file else { return try Console.put(bytes) }
        try file.write(bytes.span, at: Int64(offset))
        progress?.show("Reading", offset + bytes.count, of: size)
    }

    /// The sum of the bytes. Asked once, at the end.
    var sum: String {
        Hex.encode(state.withLock { $0.hash.take()?.finish() ?? [] })
    }

    func finish() throws {
        progress?.end()
        let (file, length) = state.withLock { ($0.file, $0.offset) }
        guard let name, let file else { return }
        try file.truncate(to: Int64(length))
        try file.sync()
        try Folder.rename(LocalOutput.partial(name), to: name)
    }

    func discard() {
        progress?.end()
        if let name { try? Folder.remove(LocalOutput.partial(name)) }
    }
}
