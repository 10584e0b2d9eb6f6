// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import DocumentStore
import FirestoreExport
import JSON
import Platform
import SignalboxDocumentModel

/// `ingestd documents import --firestore DIR`: writes the documents of a managed export of Firestore.
struct FirestoreImport {
    private static let partBytes = 8 << 20
    /// The refused documents that `--json` has. Without it all are printed as they occur.
    private static let mostErrors = 10_000

    private let arguments: Arguments
    private let target: String
    private let progress = Progress()
    private var folder: FirestoreFolder
    /// The number of the last entry that was read, from 1.
    private var number = 0
    private var body: [UInt8] = []
    private var paths: [String] = []
    private var first = 0
    private var (documents, failed) = (0, 0)
    private var errors: [(document: String, detail: String)] = []

    init(_ path: String, target: String, _ arguments: Arguments) throws {
        (self.target, self.arguments) = (target, arguments)
        folder = try FirestoreFolder(path)
    }

    mutating func run(from start: Int) async throws {
        let data = try DataFolder(arguments)
        defer { progress.end() }
        while let entry = try folder.next() {
            number += 1
            guard number >= start else { continue }
            switch entry {
            case .refused(let name, let reason): try note(name, reason)
            case .document(let entity):
                do throws(DocumentFault) { try entity.fields.validate(as: entity.path) } catch {
                    try note(entity.path.description, Refusal.ofFields(error).fields.first?.message ?? "makes no document")
                    continue
                }
                let line = Self.line(entity)
                if body.count + line.count > Self.partBytes { try await send(data) }
                if paths.isEmpty { first = number }
                body += line
                paths.append(entity.path.description)
            }
        }
        try await send(data)
        progress.end()
        if start > max(1, number) {
            throw Failure("The export has \(number.of("document")); there is no document \(start).", hint: "Resume with a document of the folder.")
        }
        try printSum()
    }

    private static func line(_ entity: ExportedEntity) -> [UInt8] {
        var json = JSONWriter(reserving: 1_024)
        json.beginObject()
        json.field("path", entity.path.description)
        json.key("fields")
        json.fields(entity.fields)
        json.endObject()
        return json.bytes + [0x0a]
    }

    private mutating func send(_ data: DataFolder) async throws {
        guard !paths.isEmpty else { return }
        let reply: ControlReply
        do {
            reply = try await data.perform { [target, body] in
                try await $0.send("POST", target, body, type: "application/x-ndjson", timeout: .seconds(600))
            }
        } catch {
            let failure = Failure(error)
            throw Failure("The import was interrupted: \(failure.what)", hint: "Resume with --from \(first). \(failure.hint ?? "")")
        }
        documents += Int(reply["documents"]?.integer ?? 0)
        let listed = reply["errors"]?.elements ?? []
        for error in listed {
            let line = Int(error["line"]?.integer ?? 0) - 1
            try note(paths.indices.contains(line) ? paths[line] : "?", error.text("detail"))
        }
        failed += max(0, Int(reply["failed"]?.integer ?? 0) - listed.count)
        (body, paths) = ([], [])
        progress.show("Importing documents", documents + failed)
    }

    private mutating func note(_ document: String, _ detail: String) throws {
        failed += 1
        if errors.count < Self.mostErrors { errors.append((document, detail)) }
        if arguments.has(.json) { return }
        progress.end()
        try Console.print("refused \(document): \(detail)")
    }

    private func printSum() throws {
        if arguments.has(.json) {
            try Console.printJSON(("documents", documents), failed: failed, errors) { json, error in
                json.field("document", error.document)
                json.field("detail", error.detail)
            }
        } else {
            try Console.print("Wrote \(documents.of("document")); \(failed.refused("document")).")
        }
        if failed > 0 { throw Failure("\(failed.refused("document")).", hint: "The others are written; write the listed ones in another way.") }
    }
}
