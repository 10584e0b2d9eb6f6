// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd documents import` and `ingestd documents export`, without a daemon.
struct DocumentTransferCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func command(_ app: String, _ arguments: String...) async throws -> Program.Ended {
        try await Program.run(arguments + ["--app", app, "--data", data], in: folder)
    }

    /// - Parameter end: The last line of an export.
    private func file(_ name: String, _ lines: [String], end: String? = #"{"end":true}"#) throws -> String {
        let path = "\(folder.path)/\(name)"
        try (lines + (end.map { [$0] } ?? [])).joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Counts the lines by bytes, as a search for characters is slow in a debug build.
    private func lineCount(of ended: Program.Ended) -> Int { Data(ended.output.utf8).occurrences(of: Data("\n".utf8)) }

    private func makeApps() async throws {
        for name in ["a", "b"] { #expect(try await Program.run("app", "create", name, "--json", "--data", data).code == 0) }
    }

    @Test func `an app's export is imported into another one, in parts and from any line`() async throws {
        try await makeApps()
        // More than a part of 8 MiB.
        let long = String(repeating: "x", count: 10_000)
        let lines = (0..<1_000).map { #"{"path": "users/u\#($0)", "fields": {"n": \#($0), "long": "\#(long)"}}"# }
        let ended = try await command("a", "documents", "import", try file("first.ndjson", lines), "--json")
        #expect(try ended.code == 0 && ended.json()["documents"] as? Int == 1_000, "\(ended)")
        let export = try await command("a", "documents", "export")
        #expect(export.code == 0 && lineCount(of: export) == 4 + 1_000 + 1)
        let copy = try await command("b", "documents", "import", try file("second.ndjson", [export.output], end: nil))
        #expect(copy.code == 0 && copy.output.contains("Wrote 1000 documents; 0 lines were refused."), "\(copy)")
        let again = try await command("b", "documents", "export")
        #expect(lineCount(of: again) == 4 + 1_000 + 1)
        let part = try await command("b", "documents", "import", folder.path + "/first.ndjson", "--from", "999", "--json")
        #expect(try part.json()["documents"] as? Int == 2, "\(part)")
        let rest = try await command("b", "documents", "export", "--after", "users/u998")
        #expect(rest.output.split(separator: "\n").count == 2 && rest.output.hasPrefix(#"{"path":"users/u999""#), "\(rest.output.prefix(200))")
    }

    @Test func `an erasure warns of documents that no pattern gives to a person`() async throws {
        try await makeApps()
        let document = try file("one.ndjson", [#"{"path": "users/ann", "fields": {"n": 1}}"#])
        #expect(try await command("a", "documents", "import", document).code == 0)
        let ended = try await command("a", "erase", "--user", "ann")
        #expect(ended.code == 0 && ended.output.contains("all 1 stay"), "\(ended)")
        let other = try await command("b", "erase", "--user", "ann")
        #expect(other.code == 0 && !other.output.contains("stay"), "there are no documents: \(other)")
        let patterns = try file("patterns.ndjson", [#"{"setting": "persons", "value": {"patterns": [{"path": "none/{uid}"}]}}"#])
        #expect(try await command("a", "documents", "import", patterns).code == 0)
        #expect(try await !command("a", "erase", "--user", "ann").output.contains("stay"))
    }

    /// The export of the emulator in a fixture, in a folder as Firestore makes one.
    private func firestoreExport() throws -> (folder: String, documents: [String: Any]) {
        let fixture =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/documents/exports.ndjson"
        let (root, inner) = (folder.path + "/export", folder.path + "/export/all_namespaces/all_kinds")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: root + "/export.overall_export_metadata"))
        var documents: [String: Any] = [:]
        for (number, line) in try String(contentsOfFile: fixture, encoding: .utf8).split(separator: "\n").enumerated() {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            documents.merge(object["docs"] as? [String: Any] ?? [:]) { _, last in last }
            for content in object["files"] as? [String] ?? [] {
                // 9 and 10, …: later files are read later.
                try #require(Data(base64Encoded: content)).write(to: URL(fileURLWithPath: "\(inner)/output-\(number + 8)"))
            }
        }
        return (root, documents)
    }

    @Test func `a managed export of Firestore is imported, resumed, and damaged records are listed`() async throws {
        try await makeApps()
        let (root, documents) = try firestoreExport()
        let ended = try await command("a", "documents", "import", "--firestore", root, "--json")
        let count = try #require(ended.json()["documents"] as? Int)
        #expect(try ended.code == 0 && ended.json()["failed"] as? Int == 0 && count >= documents.count, "\(ended)")
        let stored = try await command("a", "documents", "export").output.split(separator: "\n")
        let paths = stored.compactMap { (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["path"] as? String }
        #expect(paths.sorted() == documents.keys.sorted())
        let beyond = try await command("b", "documents", "import", "--firestore", root, "--from", String(count + 1))
        #expect(beyond.code == 1 && beyond.complaint.contains("there is no document \(count + 1)."), "\(beyond)")
        let part = try await command("b", "documents", "import", "--firestore", root, "--from", String(count - 1), "--json")
        #expect(try part.json()["documents"] as? Int == 2, "\(part)")
        let file = root + "/all_namespaces/all_kinds/output-9"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let damaged = try await command("a", "documents", "import", "--firestore", root)
        #expect(damaged.code == 1 && damaged.output.contains("refused all_namespaces/all_kinds/output-9 at byte "), "\(damaged)")
        #expect(damaged.output.contains("the checksum is wrong"), "\(damaged)")
        for wrong in [[], ["x", "--firestore", root]] {
            #expect(try await Program.run(["documents", "import"] + wrong + ["--app", "a", "--data", data], in: folder).code == 2)
        }
        let unfinished = try await command("a", "documents", "import", "--firestore", root + "/all_namespaces")
        #expect(unfinished.code == 1 && unfinished.complaint.contains("no whole export"), "\(unfinished)")
    }

    @Test(arguments: ["all_namespaces/all_kinds/output-9", "all_namespaces/all_kinds", "more"])
    func `links within an export are refused, and nothing is written`(name: String) async throws {
        try await makeApps()
        let (root, _) = try firestoreExport()
        let (link, target) = ("\(root)/\(name)", folder.path + "/elsewhere")
        if FileManager.default.fileExists(atPath: link) {
            try FileManager.default.moveItem(atPath: link, toPath: target)
        } else {
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let ended = try await command("a", "documents", "import", "--firestore", root)
        #expect(ended.code == 1 && ended.complaint.contains("\(link) is a symbolic link"), "\(ended)")
        #expect(try await !command("a", "documents", "export").output.contains(#"{"path""#))
    }

    @Test func `a file that is cut off is imported up to there, and the command fails`() async throws {
        try await makeApps()
        let lines = (0..<3).map { #"{"path": "a/\#($0)", "fields": {}}"# }
        let cut = try await command("a", "documents", "import", try file("cut.ndjson", lines, end: nil))
        #expect(cut.code == 1 && cut.output.contains("Wrote 3 documents; 0 lines were refused."), "\(cut)")
        #expect(cut.complaint.contains("the export is not whole"), "\(cut)")
        let empty = try await command("a", "documents", "import", try file("empty.ndjson", [], end: nil))
        #expect(empty.code == 1 && empty.complaint.contains("the export is not whole"), "\(empty)")
        let rest = try await command("a", "documents", "export", "--after", "a/2")
        let whole = try file("cut.ndjson", lines + [rest.output], end: nil)
        #expect(try await command("b", "documents", "import", whole).code == 0)
        #expect(try await command("b", "documents", "import", whole, "--from", "4").code == 0)
        let short = try file("short.ndjson", lines, end: nil)
        let last = try await command("b", "documents", "import", short, "--from", "3")
        #expect(last.code == 1 && last.output.contains("Wrote 1 document; 0 lines were refused."), "\(last)")
        for line in ["4", "99"] {
            let beyond = try await command("b", "documents", "import", short, "--from", line)
            #expect(beyond.code == 1 && beyond.complaint.contains("has 3 lines; there is no line \(line)."), "\(beyond)")
        }
    }

    @Test func `refused lines are listed with their numbers in the file`() async throws {
        try await makeApps()
        let good = #"{"path": "a/1", "fields": {}}"#
        let lines = try file("lines.ndjson", [good, "x", good, #"{"path": "a", "fields": {}}"#])
        let ended = try await command("a", "documents", "import", lines, "--from", "2")
        #expect(ended.code == 1 && ended.output.contains("Wrote 1 document; 2 lines were refused."), "\(ended)")
        #expect(ended.output.contains("\n2 ") && ended.output.contains("\n4 "), "\(ended)")
        let rest = try await command("a", "documents", "import", lines, "--from", "4")
        #expect(rest.code == 1 && rest.output.contains("Wrote 0 documents; 1 line was refused."), "\(rest)")
        let nested = try await command("a", "documents", "import", try file("nested.ndjson", [#"{"path": "a/1", "fields": {"a": [[1]]}}"#]))
        #expect(nested.code == 1 && nested.output.contains("fields has an array directly in an array"), "\(nested)")
        let text = String(repeating: "x", count: 17 << 20)
        let long = try await command(
            "a", "documents", "import", try file("long.ndjson", [good, #"{"path": "a/2", "fields": {"text": "\#(text)"}}"#, good]))
        #expect(long.code == 1 && long.complaint.contains("Line 2 of ") && long.complaint.contains("--from 2."), "\(long.complaint)")
        let missing = try await command("a", "documents", "import", folder.path + "/nothing")
        #expect(missing.code == 1 && missing.complaintIsOneLine && missing.output.isEmpty, "\(missing)")
        let wrong = try await command("a", "documents", "export", "--after", "users")
        #expect(wrong.code == 1 && wrong.complaintIsOneLine, "\(wrong)")
    }
}
