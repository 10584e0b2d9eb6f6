// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd files …`, beside a running daemon and without one.
struct FileCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func files(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["files"] + arguments + ["--app", "shop", "--data", data], in: folder)
    }

    private func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name)) }

    private func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))) }

    private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) } }

    @Test(arguments: [true, false]) func `files are stored, listed, read, linked and removed`(beside: Bool) async throws {
        let daemon: RunningDaemon? = beside ? try await .start(on: data) : nil
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        #expect(try await files("ls").output == "No files.\n")
        // More than one part of a resumable upload.
        let large = Self.noise((8 << 20) + 5)
        try write(large, to: "large")
        try write(Array("hello".utf8), to: "small.txt")
        let stored = try await files("put", "large", "a/b c/large")
        #expect(stored.code == 0 && stored.output == "Stored 8388613 bytes as a/b c/large.\n", "\(stored)")
        #expect(try await files("put", "small.txt", "a/ä.txt", "--type", "text/plain").code == 0)
        let listed = try await files("ls", "a").output
        #expect(listed.contains("a/b c/\n") && listed.contains("text/plain") && !listed.contains("large"), "\(listed)")
        #expect(try await files("ls", "--recursive").output.contains("8388613"))
        #expect(try await files("get", "a/b c/large", "back").code == 0)
        #expect(try bytes(of: "back") == large)
        #expect(try await files("get", "a/ä.txt").output == "hello")
        let absent = try await files("get", "a/none", "none")
        #expect(absent.code == 1, "\(absent)")
        for name in ["none", "none.part"] { #expect(!FileManager.default.fileExists(atPath: folder.path + "/" + name)) }
        let link = try await files("link", "a/ä.txt", "--seconds", "60")
        #expect(link.output.hasPrefix("/v1/files/1/a/%C3%A4.txt?e=") && !link.complaint.contains("there is no file"), "\(link)")
        let early = try await files("link", "a/ä")
        #expect(early.code == 0 && early.output.hasPrefix("/v1/files/1/a/%C3%A4?e="), "\(early)")
        #expect(early.complaint.contains("warning: there is no file a/ä; the link reads one that is stored until it ends"), "\(early)")
        #expect(try await files("du").output.contains("8388618"))
        #expect(try await files("du", "--folders", "--prefix", "a/").output.contains("a/b c/"))
        #expect(try await files("rm", "a/ä.txt").output == "Removed 1 file.\n")
        #expect(try await files("rm", "a/ä.txt").code == 1)
        let kept = try await files("rm", "a")
        #expect(kept.code == 1 && kept.complaint.contains("a is a folder. With --recursive all of its files are removed."), "\(kept)")
        #expect(try await files("rm", "a", "--recursive").output == "Removed 1 file.\n")
        for path in ["a", "/"] {
            let none = try await files("rm", path, "--recursive")
            #expect(none.code == 1 && none.output.isEmpty && none.complaint.contains("There are no files in \(path == "/" ? "/" : "a/")."), "\(none)")
        }
        #expect(try await files("ls", "--recursive").output == "No files.\n")
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test func `a check names a flipped bit and a lost file`() async throws {
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        try write(Self.noise(20_000), to: "source")
        for name in ["a", "b", "c"] { #expect(try await files("put", "source", name).code == 0) }
        #expect(try await files("check", "--deep").output == "3 files are whole; read 60000 bytes.\n")
        let blobs = try #require(FileManager.default.enumerator(atPath: data + "/files")).compactMap { $0 as? String }
            .filter { $0.split(separator: "/").count == 3 }.map { data + "/files/" + $0 }
        #expect(blobs.count == 3)
        var flipped = try Data(contentsOf: URL(fileURLWithPath: blobs[0]))
        flipped[10_000] ^= 1
        try flipped.write(to: URL(fileURLWithPath: blobs[0]))
        let shallow = try await files("check")
        #expect(shallow.code == 0 && shallow.output == "3 files are whole.\n", "\(shallow)")
        let deep = try await files("check", "--deep")
        #expect(deep.code == 1 && deep.output.contains("sum") && deep.complaint.contains("1 of 3 files is damaged"), "\(deep)")
        try FileManager.default.removeItem(atPath: blobs[1])
        let lost = try await files("check")
        #expect(lost.code == 1 && lost.output.contains("missing") && lost.complaint.contains("1 of 3 files"), "\(lost)")
    }

    @Test func `storage rules are set, listed and counted`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let made = try await Program.run(["app", "create", "shop", "--data", data, "--json"], in: folder)
        func secret(_ role: String) throws -> String {
            try #require(made.output.split(separator: "\"\(role)\":\"").last?.split(separator: "\"").first).description
        }
        let (key, admin) = (try secret("ingest"), try secret("admin"))
        let source = """
            rules_version = '2';
            service firebase.storage {
              match /b/{bucket}/o {
                match /open/{file} { allow read; }
                match /users/{uid}/{file} { allow read: if request.auth.uid == uid; }
              }
            }

            """
        try write(Array(source.utf8), to: "storage.rules")
        #expect(try await files("rules").output == "No rules.\n")
        #expect(try await files("set-rules", "storage.rules").output == "Set revision 1.\n")
        #expect(try await files("rules", "--revision", "1").output == source)
        let rules = #"{"source": "service firebase.storage { match /b/{b}/o { match /{all=**} { allow read; } } }"}"#
        #expect(try await daemon.ask("PUT", "/v1/files-rules", key: admin, body: rules).status == 200)
        let history = try await files("rules").output
        #expect(history.contains(" operator ") && history.contains(" admin key "), "\(history)")
        #expect(try await files("set-rules", "storage.rules").output == "Set revision 3.\n")
        for path in ["open/a", "users/a/b", "none"] { _ = try await daemon.ask("GET", "/v1/files/shop/\(path)", key: key) }
        let counts = try await files("denials").output
        let lines = counts.split(separator: "\n").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(counts.contains("4:26") && lines.contains("1 get 5:33 error, not signed in"), "\(counts)")
        #expect(lines.contains("1 get none no statement, not signed in"), "\(counts)")
        #expect(await daemon.stop() == 0)
    }
}
