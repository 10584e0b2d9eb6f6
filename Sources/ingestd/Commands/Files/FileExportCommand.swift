// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd files export`.
enum FileExportCommand {
    static let command = Command(
        "files export", "Writes all files of an app with their entries, storage rules and settings into a folder.", operands: ["DIR"],
        options: FileCommands.common,
        details: """
            DIR gets files.ndjson, which `files import` reads, and the bytes by their SHA-256. An export that was interrupted goes on when the \
            command is run again, and a later one reads new bytes only. Bytes of files that are gone stay. The entries have the permanent \
            download tokens of Firebase's SDKs, each of which opens its file. Links that end are not in it: they are signed by the daemon. Files \
            that wait for a function are in it, and wait where they are imported.
            """
    ) { arguments in
        let folder = try FileExportFolder(making: arguments.operand(0))
        let progress = Progress()
        defer { progress.end() }
        let result = try await DataFolder(arguments).perform { socket in
            var export = try FileExport(folder, FileCommands.app(arguments), socket, progress)
            return try await export.run()
        }
        progress.end()
        try result.print(arguments)
    }
}

/// The result of an export.
private struct ExportResult: Sendable {
    var files = 0
    var bytes = 0
    /// Those of the files that wait for functions.
    var waiting = 0
    var damaged: [(path: String, detail: String)] = []

    func print(_ arguments: Arguments) throws {
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("files", files)
                json.field("read_bytes", bytes)
                json.field("waiting", waiting)
                json.key("damaged")
                json.beginArray()
                for one in damaged {
                    json.beginObject()
                    json.field("path", one.path)
                    json.field("detail", one.detail)
                    json.endObject()
                }
                json.endArray()
            }
        } else {
            try Console.print("Exported \(files.of("file")); read \(bytes.of("byte")).")
            if waiting > 0 {
                let verb = waiting == 1 ? "waits" : "wait"
                try Console.print("\(waiting.of("file")) of them \(verb) for a function; `ingestd files pending` lists them.")
            }
            if !damaged.isEmpty { try Console.print(TextTable.lines(["PATH", "REASON"], damaged.map { [$0.path, $0.detail] })) }
        }
        if !damaged.isEmpty {
            let hint = "`ingestd files check --deep` names lost and damaged files. Others are read when the export is run again."
            throw Failure("\(damaged.count.of("file")) could not be read.", hint: hint)
        }
    }
}

/// One run of an export: pages of entries, each followed by the bytes of its files.
private struct FileExport {
    private static let pageSize = 1_000
    /// So often a file that is replaced while it is read is read anew.
    private static let mostReads = 3
    private static let partial = FileExportFolder.linesName + ".part"

    private let folder: FileExportFolder
    private let app: String
    private let socket: ControlSocket
    private let progress: Progress
    private let lines: File
    private var offset: Int64 = 0
    private var result = ExportResult()
    /// Whether the daemon returned a page.
    private var hasBegun = false
    /// The last file that was replaced while it was read, and how often in a row.
    private var replaced: (path: String, times: Int) = ("", 0)

    init(_ folder: FileExportFolder, _ app: String, _ socket: ControlSocket, _ progress: Progress) throws {
        (self.folder, self.app, self.socket, self.progress) = (folder, app, socket, progress)
        lines = try folder.root.file(FileExport.partial, .create)
    }

    mutating func run() async throws -> ExportResult {
        do { try await writeAll() } catch {
            throw InterruptedTransfer.error(
                error, of: "export", hasBegun: hasBegun, hint: "Run it again; bytes in the folder are not read again.")
        }
        return result
    }

    private mutating func writeAll() async throws {
        var after: String?
        repeat { after = try await page(after: after) } while after != nil
        // Waiting files follow the readable ones, as an import of a waiting file may replace a readable one of the same path.
        let readable = result.files
        repeat { after = try await page(after: after, ofPending: true) } while after != nil
        result.waiting = result.files - readable
        var json = JSONWriter()
        json.beginObject()
        json.field("end", true)
        json.field("files", result.files)
        json.endObject()
        try write(json.bytes[...])
        try lines.sync()
        try folder.root.move(FileExport.partial, to: folder.root, as: FileExportFolder.linesName)
        try folder.root.sync()
    }

    /// Exports a page of files. Returns the path to go on after; nil at the end. A file that is replaced meanwhile is read anew with the next page.
    ///
    /// - Parameter ofPending: Whether it is one of the files that wait for functions.
    private mutating func page(after: String?, ofPending: Bool = false) async throws -> String? {
        let cursor = (ofPending ? "&pending=1" : "") + (after.map { "&after=\($0.percentEncoded)" } ?? "")
        let page = try await socket.get("/v1/files:export?app=\(app)&limit=\(FileExport.pageSize)\(cursor)")
        hasBegun = true
        for setting in page["settings"]?.elements ?? [] { try write(setting.json) }
        var last = after ?? ""
        for item in page["items"]?.elements ?? [] {
            let path = item["file"]?.text("path") ?? ""
            if try await !add(item) {
                replaced = (path, replaced.path.hasSameBytes(as: path) ? replaced.times + 1 : 1)
                if replaced.times < FileExport.mostReads { return last }
                result.damaged.append((path, "It was replaced each time that it was read."))
            }
            last = path
            progress.show("Exporting files", result.files)
        }
        return page["next"]?.text
    }

    /// Exports a file. Returns false if it was replaced or deleted since the page was read.
    private mutating func add(_ item: ControlReply) async throws -> Bool {
        guard let file = item["file"], let sum = ExportedBytes(file) else { throw Failure("The daemon named a file without a sum.", hint: nil) }
        if folder.open(sum) == nil {
            let output = try folder.begin(sum)
            var target = FileCommands.target(file.text("path"), app: app)
            if file["pending_until"] != nil { target += "?pending=\(file.text("generation"))" }
            switch try await socket.streamFile(target, etag: file.text("etag"), onBytes: output.write) {
            case .whole:
                guard try output.finish() else {
                    result.damaged.append((file.text("path"), "Its bytes have another sum."))
                    return true
                }
                result.bytes += sum.size
            case .changed:
                output.discard()
                return false
            case .refused(let detail):
                output.discard()
                result.damaged.append((file.text("path"), detail))
                return true
            }
        }
        try write(item.json)
        result.files += 1
        return true
    }

    private mutating func write(_ line: ArraySlice<UInt8>) throws {
        let bytes = line + [0x0a]
        try lines.write(bytes.span, at: offset)
        offset += Int64(bytes.count)
    }
}
