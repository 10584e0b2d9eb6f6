// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Synchronization

/// `ingestd documents export` and `ingestd documents import`.
enum DocumentCommands {
    static let all = [export, importDocuments]

    /// The size of the parts in which a file is sent.
    private static let partBytes = 8 << 20
    private static let after = Option("--after", .text("PATH"), "Resumes behind this document, the last of an interrupted export.")
    private static let from = Option("--from", .number("LINE", 1...Int64.max), "Resumes with this line of the file, or document of the folder.")
    private static let firestore = Option("--firestore", .text("DIR"), "A folder that Firestore's managed export made, instead of a file.")

    private static let export = Command(
        "documents export",
        "Writes all documents of an app with indexes, expiry, persons and rules to standard output, as lines that `documents import` reads.",
        options: [.app.required, after, .data, .config]
    ) { arguments in
        let output = DocumentLines(after: arguments.one(after.name))
        defer { output.progress?.end() }
        let folder = try DataFolder(arguments)
        do {
            try await folder.perform { try await copy(to: output, arguments, $0) }
        } catch let error where !(error is Failure) && output.last != nil {
            let failure = Failure(error)
            throw Failure(
                "The export was interrupted: \(failure.what)", hint: "Resume with --after \(output.last ?? "") and append to the same file.")
        }
    }

    /// Resumes a response that was interrupted, as long as each attempt makes progress.
    private static func copy(to output: DocumentLines, _ arguments: Arguments, _ socket: ControlSocket) async throws {
        while true {
            let before = output.begin()
            let place = before.map { "&after=\($0.percentEncoded)" } ?? ""
            do {
                return try await socket.stream("/v1/documents:export?app=\(arguments.required(.app).percentEncoded)\(place)") { try output.write($0) }
            } catch let error where !(error is Failure) && output.last != before {
                continue
            }
        }
    }

    private static let importDocuments = Command(
        "documents import", "Writes the documents of an export, and sets its indexes, expiry, persons and rules.", operands: ["[FILE]"],
        options: [.app.required, firestore, from, .data, .config, .json],
        details: """
            Documents that are there are replaced; others stay. An import may be repeated. What is refused is listed. An export of Firestore is the \
            folder of `gcloud firestore export`, or of its emulator, and has documents only. A file must have the last line of an export, \
            {"end":true}; without it the command fails after the last document, as the file was cut off.
            """
    ) { arguments in
        let target = "/v1/documents:import?app=\(arguments.required(.app).percentEncoded)"
        let first = arguments.one(from.name).flatMap { Int($0) } ?? 1
        guard arguments.operands.isEmpty == arguments.has(firestore) else {
            throw UsageError(what: "There is no export to read, or two.", hint: "Name a file, or a folder with \(firestore.name).")
        }
        if let folder = arguments.one(firestore.name) {
            var firestore = try FirestoreImport(folder, target: target, arguments)
            return try await firestore.run(from: first)
        }
        let path = arguments.operand(0)
        let folder = try DataFolder(arguments)
        var parts = try LineParts(path, partBytes: partBytes, from: first)
        var sum = ImportSum()
        var next = first
        let progress = Progress()
        defer { progress.end() }
        while let part = try parts.next() {
            if part.body.count > DocumentTransfers.importBytes {
                throw Failure(
                    "Line \(part.first) of \(path) has more than 16 MiB. A document has at most 1 MiB.",
                    hint: "Remove the line, then resume with --from \(part.first).")
            }
            do {
                let reply = try await folder.perform {
                    try await $0.send("POST", target, part.body, type: "application/x-ndjson", timeout: .seconds(600))
                }
                sum.add(reply, firstLine: part.first)
                sum.note(lastLineOf: part.body)
                next = part.end
            } catch {
                let failure = Failure(error)
                throw Failure("The import was interrupted: \(failure.what)", hint: "Resume with --from \(part.first). \(failure.hint ?? "")")
            }
            progress.show("Importing documents", sum.documents + sum.refused.count)
        }
        progress.end()
        if first > max(1, parts.lines) {
            throw Failure("\(path) has \(parts.lines.of("line")); there is no line \(first).", hint: "Resume with a line of the file.")
        }
        try sum.print(arguments, path, next: next)
    }
}

/// Writes whole lines only, and knows the last document, so that an interrupted export can be resumed.
private final class DocumentLines: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var lastLine: [UInt8] = []
        var last: String?
        var count = 0
    }

    private let state: Mutex<State>
    /// No progress line if the documents themselves are on the screen.
    let progress = StandardStream.output.isTerminal ? nil : Progress()

    init(after path: String?) {
        state = Mutex(State(last: path))
    }

    /// The path of the last document that was written.
    var last: String? {
        state.withLock { state in
            guard let path = (try? JSONValue(state.lastLine))?["path"]?.text else { return state.last }
            return path
        }
    }

    func begin() -> String? {
        let path = last
        state.withLock { ($0.rest, $0.lastLine, $0.last) = ([], [], path) }
        return path
    }

    func write(_ bytes: [UInt8]) throws {
        let (whole, count) = state.withLock { state -> ([UInt8], Int) in
            state.rest += bytes
            guard let end = state.rest.lastIndex(of: 0x0a) else { return ([], state.count) }
            let whole = Array(state.rest[...end])
            state.rest.removeFirst(end + 1)
            let lines = whole.split(separator: 0x0a)
            state.count += lines.count
            // The last line of an export names no document.
            if let line = lines.last(where: { $0.starts(with: Array("{\"path\"".utf8)) }) { state.lastLine = Array(line) }
            return (whole, state.count)
        }
        try Console.put(whole)
        progress?.show("Exporting documents", count)
    }
}

/// The results of all parts.
private struct ImportSum {
    var documents = 0
    var refused = RefusedLines(maxListed: 100)
    /// Whether the last line was that at the end of an export.
    private var isWhole = false

    mutating func note(lastLineOf body: [UInt8]) {
        // From the end, as a part has megabytes.
        let isEnd = { (byte: UInt8) in byte == 0x0a || byte == 0x0d }
        guard let last = body.lastIndex(where: { !isEnd($0) }) else { return }
        let start = body[..<last].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
        isWhole = (try? JSONValue(Array(body[start...last])))?["end"] != nil
    }

    mutating func add(_ reply: ControlReply, firstLine: Int) {
        documents += Int(reply["documents"]?.integer ?? 0)
        refused.add(reply, firstLine: firstLine)
    }

    /// - Parameter next: The line behind the last one of the file.
    func print(_ arguments: Arguments, _ path: String, next: Int) throws {
        try refused.print("Wrote", documents, "document", arguments)
        if !isWhole {
            throw Failure(
                "\(path) has no last line {\"end\":true}: the export is not whole. The documents before it are written.",
                hint: "Complete the file with `documents export --after`, then resume with --from \(next).")
        }
        try refused.check()
    }
}
