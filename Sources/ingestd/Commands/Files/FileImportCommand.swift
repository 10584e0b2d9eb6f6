// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Platform
import Synchronization

/// `ingestd files import`.
enum FileImportCommand {
    static let command = Command(
        "files import", "Stores the files of an export, and sets its storage rules and settings.", operands: ["DIR"], options: FileCommands.common,
        details: """
            Files that are there under the same paths are replaced; others stay. An import that was interrupted goes on when the command is run \
            again: files whose bytes are there get their entries only. What is refused is listed, such as files whose bytes have another SHA-256 \
            than their entry, or that exceed a quota. The last line of files.ndjson must have the number of its files; without it the command \
            fails at the end, as the file was cut off.
            """
    ) { arguments in
        let folder = try FileExportFolder(arguments.operand(0))
        let progress = Progress()
        defer { progress.end() }
        let result = try await DataFolder(arguments).perform { socket in
            var run = FileImport(folder, target: "/v1/files:import?app=\(FileCommands.app(arguments))", socket, progress)
            return try await run.run()
        }
        progress.end()
        try result.print(arguments)
    }

    fileprivate static let cutOff = Failure(
        "The last line of \(FileExportFolder.linesName) does not have the number of its files: it was cut off. The files in it are imported.",
        hint: "Export into the folder again, then import it again.")
}

/// The result of an import.
private struct ImportResult: Sendable {
    var files = 0
    var refused = RefusedLines(maxListed: 100)
    /// The number of lines of files.
    private var lines = 0
    /// Whether the last line was that at the end of an export.
    private var isWhole = false

    mutating func note(_ line: ArraySlice<UInt8>) {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { return }
        let json = try? JSONValue(Array(line))
        if json?["file"] != nil { lines += 1 }
        isWhole = json?["end"] != nil && json?["files"]?.integer == Int64(lines)
    }

    func print(_ arguments: Arguments) throws {
        try refused.print("Imported", files, "file", arguments)
        if !isWhole { throw FileImportCommand.cutOff }
        try refused.check(hint: "Correct what the reasons name, and import the folder again.")
    }
}

/// One run of an import: parts of lines, each followed by the files whose bytes the daemon does not have.
private struct FileImport {
    private static let partBytes = 1 << 20
    private static let filesAtOnce = 8

    private let folder: FileExportFolder
    private let target: String
    private let socket: ControlSocket
    private let progress: Progress
    private var result = ImportResult()
    /// Whether the daemon accepted lines.
    private var hasBegun = false

    init(_ folder: FileExportFolder, target: String, _ socket: ControlSocket, _ progress: Progress) {
        (self.folder, self.target, self.socket, self.progress) = (folder, target, socket, progress)
    }

    mutating func run() async throws -> ImportResult {
        do { try await addAll() } catch {
            throw InterruptedTransfer.error(error, of: "import", hasBegun: hasBegun, hint: "Run it again; it goes on where it was.")
        }
        return result
    }

    private mutating func addAll() async throws {
        var parts = try LineParts("\(folder.root.path)/\(FileExportFolder.linesName)", partBytes: FileImport.partBytes, from: 1)
        while let part = try parts.next() {
            let lines = part.body.split(separator: 0x0a, omittingEmptySubsequences: false)
            for line in lines { result.note(line) }
            for start in stride(from: 0, to: lines.count, by: FileTransfers.mostLines) {
                try await add(Array(lines[start..<min(start + FileTransfers.mostLines, lines.count)]), first: part.first + start)
            }
        }
    }

    /// Imports lines, of which the first has a number in the file.
    private mutating func add(_ lines: [ArraySlice<UInt8>], first: Int) async throws {
        let reply = try await socket.send(
            "POST", target, Array(lines.joined(separator: [0x0a])), type: "application/x-ndjson", timeout: .seconds(600))
        hasBegun = true
        result.files += Int(reply["files"]?.integer ?? 0)
        result.refused.add(reply, firstLine: first)
        let missing = (reply["missing"]?.elements ?? []).compactMap { $0.integer.map { Int($0) - 1 } }.filter(lines.indices.contains)
        let pending = Set(missing.filter { (try? JSONValue(Array(lines[$0])))?["file"]?["pending_until"] != nil })
        // A file takes the place of a version of its path that waits, so these follow.
        for some in [missing.filter { !pending.contains($0) }, pending.sorted()] {
            for start in stride(from: 0, to: some.count, by: FileImport.filesAtOnce) {
                try await send(some[start..<min(start + FileImport.filesAtOnce, some.count)].map { (number: $0 + first, line: lines[$0]) })
                progress.show("Importing files", result.files)
            }
        }
    }

    /// Sends some files at once, so that they share commits.
    private mutating func send(_ files: [(number: Int, line: ArraySlice<UInt8>)]) async throws {
        let refusals = try await withThrowingTaskGroup(of: (Int, String?).self) { [folder, target, socket] group in
            for file in files {
                group.addTask { (file.number, try await FileImport.send(Array(file.line), of: folder, to: target, socket)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, refusal) in refusals.sorted(by: { $0.0 < $1.0 }) {
            if let refusal { result.refused.add(number, refusal) } else { result.files += 1 }
        }
    }

    /// Sends a line with its bytes. Returns why they were refused; nil if they were stored.
    private static func send(_ line: [UInt8], of folder: FileExportFolder, to target: String, _ socket: ControlSocket) async throws -> String? {
        guard let entry = try JSONValue(line)["file"], let sum = ExportedBytes(entry), let file = folder.open(sum) else {
            return "Its bytes are not in the folder."
        }
        let head = line + [0x0a]
        let sent = Mutex(0)
        let source = HTTPClientSource(length: head.count + sum.size) { count in
            let offset = sent.withLock { $0 }
            let bytes = offset < head.count ? Array(head[offset...].prefix(count)) : try file.read(at: offset - head.count, count: count)
            sent.withLock { $0 += bytes.count }
            return bytes
        }
        return try await socket.sendFile("PUT", target, source)
    }
}
