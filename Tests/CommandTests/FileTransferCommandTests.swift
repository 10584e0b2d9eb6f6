// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd files export` and `ingestd files import`.
struct FileTransferCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }
    private var export: String { folder.path + "/export" }

    private func files(_ app: String, _ arguments: String..., data other: String? = nil) async throws -> Program.Ended {
        try await Program.run(["files"] + arguments + ["--app", app, "--data", other ?? data], in: folder)
    }

    private func makeApp(_ name: String, _ data: String) async throws {
        #expect(try await Program.run(["app", "create", name, "--data", data], in: folder).code == 0)
    }

    /// Bytes of which no two parts of 64 KiB are equal.
    private static func noise(_ count: Int) -> [UInt8] {
        let part = (0..<min(count, 1 << 16)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        var (bytes, number) = ([UInt8](), UInt8(0))
        while bytes.count < count {
            bytes += [number] + part.dropFirst().prefix(count - bytes.count - 1)
            number &+= 1
        }
        return bytes
    }

    /// Stores some files in an app. Two have the same bytes, and one has the given number.
    private func fill(largest: Int = 70_000) async throws -> [(path: String, bytes: [UInt8])] {
        try await makeApp("shop", data)
        let kept: [(path: String, bytes: [UInt8])] = [
            ("a", []), ("b/ä 1", Self.noise(100)), ("b/same", Self.noise(100)), ("c", Self.noise(20_000)), ("d/e/f", Self.noise(largest)),
        ]
        for (path, bytes) in kept {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/source"))
            #expect(try await files("shop", "put", "source", path, "--type", "text/plain").code == 0)
        }
        return kept
    }

    /// Whether an app has these files.
    private func has(_ kept: [(path: String, bytes: [UInt8])], _ app: String, data: String) async throws -> Bool {
        for (path, bytes) in kept {
            guard try await files(app, "get", path, "back", data: data).code == 0 else { return false }
            guard try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/back"))) == bytes else { return false }
        }
        return true
    }

    private func blobs() throws -> [String] {
        try #require(FileManager.default.enumerator(atPath: export + "/bytes")).compactMap { $0 as? String }
            .filter { $0.contains("/") }.map { export + "/bytes/" + $0 }.sorted()
    }

    @Test(arguments: [true, false]) func `an app's files are copied to another app and another daemon`(beside: Bool) async throws {
        let kept = try await fill(largest: (8 << 20) + 5)
        let daemon: RunningDaemon? = beside ? try await .start(on: data) : nil
        let first = try await files("shop", "export", export)
        #expect(first.code == 0 && first.output == "Exported 5 files; read 8408713 bytes.\n", "\(first)")
        // Equal bytes are read once, and a second export reads nothing.
        #expect(try blobs().count == 4)
        #expect(try await files("shop", "export", export).output == "Exported 5 files; read 0 bytes.\n")
        try await makeApp("copy", data)
        let copied = try await files("copy", "import", export)
        #expect(copied.code == 0 && copied.output == "Imported 5 files; 0 lines were refused.\n", "\(copied)")
        let other = folder.path + "/other"
        try await makeApp("moved", other)
        #expect(try await files("moved", "import", export, "--json", data: other).json()["files"] as? Int == 5)
        #expect(try await has(kept, "copy", data: data))
        #expect(try await has(kept, "moved", data: other))
        #expect(try await files("moved", "ls", "b", data: other).output.contains("text/plain"))
        #expect(try await files("copy", "check", "--deep").output.hasPrefix("5 files are whole"))
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test func `an interrupted export is no export, and goes on`() async throws {
        let kept = try await fill()
        #expect(try await files("shop", "export", export).code == 0)
        // As an interruption leaves it: no lines, some bytes whole, others in part.
        let lost = try #require(try blobs().first { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int == 20_000 })
        try FileManager.default.removeItem(atPath: export + "/files.ndjson")
        try FileManager.default.removeItem(atPath: lost)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: lost + ".part"))
        try await makeApp("copy", data)
        let refused = try await files("copy", "import", export)
        #expect(refused.code == 1 && refused.output.isEmpty && refused.complaint.contains("run it again"), "\(refused)")
        #expect(try await files("shop", "export", export).output == "Exported 5 files; read 20000 bytes.\n")
        #expect(try await files("copy", "import", export).code == 0)
        #expect(try await has(kept, "copy", data: data))
    }

    @Test func `a transfer of an unknown app is refused, not interrupted`() async throws {
        try await makeApp("shop", data)
        #expect(try await files("shop", "export", export).code == 0)
        for transfer in ["export", "import"] {
            let refused = try await files("nope", transfer, export)
            #expect(refused.code == 1 && refused.output.isEmpty && refused.complaint.contains("There is no such app"), "\(refused)")
            #expect(!refused.complaint.contains("interrupted") && !refused.complaint.contains("again"), "\(refused)")
        }
    }

    @Test func `files that wait for a function wait in the copy`() async throws {
        try await makeApp("shop", data)
        let rules = folder.path + "/storage.rules"
        try Data("service firebase.storage { match /b/{b}/o { match /{f=**} { allow create, update: if true; } } }".utf8).write(
            to: URL(fileURLWithPath: rules))
        #expect(try await files("shop", "set-rules", rules).code == 0)
        func key(_ role: String) async throws -> String {
            let made = try await Program.run(["key", "create", "--app", "shop", "--role", role, "--data", data, "--json"], in: folder)
            return try #require(made.json()["key"] as? String)
        }
        let (admin, ingest) = (try await key("admin"), try await key("ingest"))
        let daemon = try await RunningDaemon.start(on: data, environment: ["INGESTD_FILES_RESERVE": "0"])
        let set = try await daemon.ask("PUT", "/v1/files:pending", key: admin, body: #"{"rules": [{"prefix": "", "pending_until": "scan"}]}"#)
        #expect(set.status == 200, "\(set)")
        for name in ["a", "b"] { #expect(try await daemon.ask("PUT", "/v1/files/shop/\(name)", key: ingest, body: name).status == 202) }
        #expect(try await daemon.ask("PUT", "/v1/files/shop/c", key: admin, body: "c").status == 201)
        // A file that is readable, and a version of it that waits.
        #expect(try await daemon.ask("PUT", "/v1/files/shop/c", key: ingest, body: "new").status == 202)
        let ended = try await files("shop", "export", export)
        #expect(ended.code == 0 && ended.output.hasPrefix("Exported 4 files; read 6 bytes.\n3 files of them wait"), "\(ended)")
        #expect(try await files("shop", "export", export, "--json").json()["waiting"] as? Int == 3)
        try await makeApp("copy", data)
        for _ in 0..<2 {
            #expect(try await files("copy", "import", export).output == "Imported 4 files; 0 lines were refused.\n")
            let waiting = try await files("copy", "pending", "--json").items().compactMap { $0["file"] as? [String: Any] }
            #expect(waiting.map { $0["path"] as? String } == ["a", "b", "c"])
            #expect(waiting.allSatisfy { $0["pending_until"] as? String == "scan" })
            #expect(try await has([("c", Array("c".utf8))], "copy", data: data))
        }
        #expect(try await files("copy", "get", "a", "back").code == 1)
        for name in ["a", "c"] { #expect(try await files("copy", "pending", "--allow", name).code == 0) }
        #expect(try await has([("a", Array("a".utf8)), ("c", Array("new".utf8))], "copy", data: data))
        #expect(await daemon.stop() == 0)
    }

    @Test func `lines that were cut off are imported, and the import fails`() async throws {
        let kept = try await fill()
        #expect(try await files("shop", "export", export).code == 0)
        let lines = URL(fileURLWithPath: export + "/files.ndjson")
        let whole = try String(decoding: Data(contentsOf: lines), as: UTF8.self).split(separator: "\n")
        try await makeApp("copy", data)
        let (end, withoutEnd) = (whole[whole.count - 1], Array(whole.dropLast()))
        // Without its end, in the middle of it, and without the last file.
        let cuts: [[Substring]] = [withoutEnd, withoutEnd + [end.dropLast()], Array(withoutEnd.dropLast()) + [end]]
        for cut in cuts {
            try Data((cut.joined(separator: "\n") + "\n").utf8).write(to: lines)
            let ended = try await files("copy", "import", export)
            #expect(ended.code == 1 && ended.complaint.contains("cut off"), "\(ended)")
        }
        #expect(try await has(kept, "copy", data: data))
        try Data((whole.joined(separator: "\n") + "\n").utf8).write(to: lines)
        #expect(try await files("copy", "import", export).code == 0)
    }

    @Test func `damaged and lost bytes are listed, and an import goes on behind them`() async throws {
        let kept = try await fill()
        #expect(try await files("shop", "export", export).code == 0)
        let sizes = try blobs().map { ($0, try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0) }
        let (large, small) = (try #require(sizes.first { $0.1 == 20_000 }?.0), try #require(sizes.first { $0.1 == 100 }?.0))
        let whole = try Data(contentsOf: URL(fileURLWithPath: large))
        var flipped = whole
        flipped[10_000] ^= 1
        try flipped.write(to: URL(fileURLWithPath: large))
        let lost = try Data(contentsOf: URL(fileURLWithPath: small))
        try FileManager.default.removeItem(atPath: small)
        try FileManager.default.createSymbolicLink(atPath: small, withDestinationPath: folder.path + "/source")
        try await makeApp("copy", data)
        let partly = try await files("copy", "import", export)
        #expect(partly.code == 1 && partly.output.contains("Imported 2 files; 3 lines were refused."), "\(partly)")
        #expect(partly.output.contains("checksum") && partly.output.contains("Its bytes are not in the folder."), "\(partly)")
        try whole.write(to: URL(fileURLWithPath: large))
        try FileManager.default.removeItem(atPath: small)
        try lost.write(to: URL(fileURLWithPath: small))
        #expect(try await files("copy", "import", export).output == "Imported 5 files; 0 lines were refused.\n")
        #expect(try await has(kept, "copy", data: data))
    }

    @Test func `files that the daemon cannot read are listed`() async throws {
        _ = try await fill()
        let stored = try #require(FileManager.default.enumerator(atPath: data + "/files")).compactMap { $0 as? String }
            .filter { $0.split(separator: "/").count == 3 }.map { data + "/files/" + $0 }
        let flipped = try #require(try stored.first { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int == 20_000 })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: flipped))
        bytes[0] ^= 1
        try bytes.write(to: URL(fileURLWithPath: flipped))
        let ended = try await files("shop", "export", export)
        #expect(ended.code == 1 && ended.output.contains("Exported 4 files") && ended.output.contains("another sum"), "\(ended)")
        #expect(ended.complaint.contains("1 file could not be read."), "\(ended)")
        let checked = try await files("shop", "check", "--deep")
        #expect(checked.code == 1 && checked.complaint.contains("1 of 5 files is damaged."), "\(checked)")
    }
}
