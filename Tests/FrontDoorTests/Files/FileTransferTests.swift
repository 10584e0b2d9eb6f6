// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import Files
import Foundation
import Files
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// Exports and imports of files over HTTP.
@Suite struct FileTransferTests {
    private static let rules = """
        rules_version = '2';
        service firebase.storage { match /b/{bucket}/o { match /users/{uid}/{file=**} { allow read, write: if request.auth.uid == uid; } } }
        """

    private static func line(_ object: Any) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
    }

    /// The lines of settings and files of all pages.
    private static func export(_ api: TestClient, _ key: String, limit: Int = 2) async throws -> (settings: [[UInt8]], files: [[UInt8]]) {
        var (settings, files, after): ([[UInt8]], [[UInt8]], String?) = ([], [], nil)
        repeat {
            let cursor = after.map { "&after=\($0.percentEncoded)" } ?? ""
            let reply = try await api.get("/v1/files:export?limit=\(limit)\(cursor)", key: key)
            #expect(reply.status == 200, "\(reply.text)")
            let page = try #require(JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
            #expect((page["settings"] != nil) == (after == nil))
            settings += try (page["settings"] as? [Any] ?? []).map(line)
            let items = page["items"] as? [Any] ?? []
            #expect(items.count <= limit)
            files += try items.map(line)
            after = page["next"] as? String
        } while after != nil
        return (settings, files)
    }

    private static func post(_ api: TestClient, _ key: String, _ lines: [[UInt8]]) async throws -> Reply {
        try await api.request(
            "POST", "/v1/files:import", key: key, headers: ["Content-Type": "application/x-ndjson"], body: Array(lines.joined(separator: [0x0a])))
    }

    private static func put(_ api: TestClient, _ key: String, _ line: [UInt8], _ bytes: [UInt8]) async throws -> Reply {
        try await api.request("PUT", "/v1/files:import", key: key, body: line + [0x0a] + bytes)
    }

    private static func path(_ line: [UInt8]) throws -> String { try JSON(line)["file"]["path"].text.percentEncoded.replacing("%2F", with: "/") }

    /// A line without what is new where a file is imported: the version, and the MD5.
    private static func withoutVersion(_ line: [UInt8]) -> String {
        String(decoding: line, as: UTF8.self).replacing(/"(generation|metageneration)":\d+,/, with: "").replacing(/"etag":"[^}]*?",/, with: "")
            .replacing(/,"md5":"[0-9a-f]{32}"/, with: "")
    }

    /// A line of a file with these bytes.
    private static func entry(_ path: String, of bytes: [UInt8], more: [String: Any] = [:]) throws -> [UInt8] {
        let file: [String: Any] = ["path": path, "size": bytes.count, "sha256": Hex.encode(SHA256.hash(bytes))]
        return try line(["file": file].merging(more) { first, _ in first })
    }

    // MARK: Copies

    @Test func `a copy of an app has the same files, entries, owners and settings`() async throws {
        try await RuleWorld.use { accounts, client async throws in
            let (api, ours) = (client.live.api, client.keys)
            let copy = try await DocumentClient.make(client.live, "copy").keys
            let values: [[String: Any]] = [
                ["setting": "rules", "value": ["source": Self.rules]], ["setting": "persons", "value": ["paths": ["people/{uid}/"]]],
                ["setting": "pending", "value": ["rules": [["prefix": "uploads/", "pending_until": "scan"]]]],
            ]
            let settings = try values.map(Self.line)
            #expect(try await JSON(Self.post(api, ours.admin, settings))["failed"].number == 0)
            let ann = try await accounts.user()
            for (path, size) in [("users/\(ann.id)/a.png", 20_000), ("users/\(ann.id)/b", 5)] {
                let sent = try await api.request(
                    "PUT", "/v1/files/\(ours.app)/\(path)", key: ann.token, headers: ["Content-Type": "image/png", "X-Meta-Album": "summer"],
                    body: someBytes(size))
                #expect(sent.status == 201, "\(sent.text)")
            }
            for (path, size) in [("empty", 0), ("b/%C3%A4%20%22", 16_385), ("b/c", 3 << 20)] {
                let sent = try await api.request(
                    "PUT", "/v1/files/\(ours.app)/\(path)", key: ours.admin, headers: ["Cache-Control": "max-age=5"], body: someBytes(size))
                #expect(sent.status == 201, "\(sent.text)")
            }
            let (exported, lines) = try await Self.export(api, ours.admin)
            #expect(exported.count == 3 && lines.count == 5)
            let first = try JSON(await Self.post(api, copy.admin, exported + lines))
            #expect(first["files"].number == 0 && first["failed"].number == 0)
            #expect(first["missing"].items.map { Int($0.number) } == Array(4...8), "a line is named by its place in the body")
            for line in lines {
                let bytes = try await api.get("/v1/files/\(ours.app)/\(Self.path(line))", key: ours.admin).body
                #expect(try await Self.put(api, copy.admin, line, bytes).status == 200)
            }
            let second = try JSON(await Self.post(api, copy.admin, exported + lines))
            #expect(second["files"].number == 5 && second["missing"].items.isEmpty)
            #expect(try await JSON(api.get("/v1/files-rules?limit=10", key: copy.admin))["items"].items.count == 1, "equal rules are stored once")
            let (copiedSettings, copied) = try await Self.export(api, copy.admin)
            #expect(copiedSettings == exported)
            #expect(copied.map(Self.withoutVersion) == lines.map(Self.withoutVersion))
            for line in lines {
                let path = try Self.path(line)
                let source = try await api.get("/v1/files/\(ours.app)/\(path)", key: ours.admin)
                let target = try await api.get("/v1/files/\(copy.app)/\(path)", key: copy.admin)
                #expect(source.status == 200 && target.status == 200 && source.body == target.body, "\(path)")
            }
            let usage = try JSON(await api.get("/v1/files:usage", key: copy.read))
            #expect(usage["items"].items.map(\.["uid"].text) == [ann.id] && usage["items"][0]["bytes"].number == 20_005)
            // An entry that changed at the source is carried over without its bytes.
            let patch = try await api.request(
                "PATCH", "/v1/files/\(ours.app)/empty", key: ours.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"content_type": "text/plain"}"#.utf8))
            #expect(patch.status == 200)
            let changed = try await Self.export(api, ours.admin).files
            #expect(try await JSON(Self.post(api, copy.admin, changed))["missing"].items.isEmpty)
            #expect(try await JSON(api.get("/v1/files/\(copy.app)/empty?info=1", key: copy.admin))["type"].text == "text/plain")
        }
    }

    @Test func `permanent download tokens open the copy`() async throws {
        try await withDaemon(configure: { $0.store.files.downloadTokens = .permanent }) { live in
            let keys = try await live.api.makeApp()
            let line = try Self.entry("a", of: [1, 2], more: ["download_tokens": "first,second"])
            #expect(try await Self.put(live.api, keys.admin, line, [1, 2]).status == 200)
            #expect(try await live.api.get("/v0/b/\(keys.app)/o/a?alt=media&token=second").body == [1, 2])
            #expect(try await live.api.get("/v0/b/\(keys.app)/o/a?alt=media&token=third").status == 403)
            let exported = try await Self.export(live.api, keys.admin).files
            #expect(try JSON(exported[0])["download_tokens"].text == "first,second")
        }
    }

    // MARK: Refusals

    @Test func `damaged bytes are refused, and leave nothing`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let bytes = someBytes(50_000)
            let line = try Self.entry("a", of: bytes)
            var flipped = bytes
            flipped[40_000] ^= 1
            for wrong in [flipped, Array(bytes.dropLast()), bytes + [0], []] {
                let reply = try await Self.put(live.api, keys.admin, line, wrong)
                #expect(try reply.status == 422 && JSON(reply)["code"].text == "checksum_mismatch", "\(reply.text)")
            }
            let wrongMD5 = try Self.entry("a", of: bytes, more: ["md5": String(repeating: "0", count: 32)])
            #expect(try await Self.put(live.api, keys.admin, wrongMD5, bytes).status == 422)
            let none = try await live.api.request("PUT", "/v1/files:import", key: keys.admin, body: bytes.filter { $0 != 0x0a })
            #expect(none.status == 422 || none.status == 400, "\(none.text)")
            let setting = try Self.line(["setting": "persons", "value": ["paths": [String]()]])
            #expect(try await Self.put(live.api, keys.admin, setting, bytes).status == 422)
            #expect(try await live.api.get("/v1/files/\(keys.app)/a?info=1", key: keys.admin).status == 404)
            #expect(try await JSON(live.api.get("/v1/files:usage", key: keys.read))["bytes"].number == 0)
            #expect(try await JSON(Self.post(live.api, keys.admin, [line]))["missing"].items.map(\.number) == [1])
            #expect(try await Self.put(live.api, keys.admin, line, bytes).status == 200)
        }
    }

    @Test func `lines that are wrong are listed, and the others count`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let good = try Self.entry("a", of: [1])
            #expect(try await Self.put(live.api, keys.admin, good, [1]).status == 200)
            let wrong = [
                "x", "[]", "{}", #"{"file": {}}"#, #"{"file": {"path": "a/../b", "size": 1, "sha256": "\#(String(repeating: "0", count: 64))"}}"#,
                #"{"file": {"path": "a", "size": 1, "sha256": "00"}}"#, #"{"file": {"path": "a", "size": -1}}"#,
                #"{"file": {"path": "a", "size": 6442450944, "sha256": "\#(String(repeating: "0", count: 64))"}}"#,
                #"{"file": {"path": "a", "size": 1, "sha256": "\#(String(repeating: "0", count: 64))", "type": "a\nb"}}"#,
                #"{"setting": "rules", "value": {"source": "service cloud.firestore {"}}"#, #"{"setting": "other", "value": {}}"#,
            ].map { Array($0.utf8) }
            let owned = try ["", "a\nb", String(repeating: "u", count: 256)].map { owner in
                var file = try #require(JSONSerialization.jsonObject(with: Data(good)) as? [String: [String: Any]])
                file["file"]?["owner"] = owner
                return try Self.line(file)
            }
            let end = Array(#"{"end": true, "files": 1}"#.utf8)
            let result = try JSON(await Self.post(live.api, keys.admin, [good] + wrong + owned + [[], good, end]))
            let refused = wrong.count + owned.count
            #expect(Int(result["failed"].number) == refused && result["files"].number == 2)
            #expect(result["errors"].items.map { Int($0["line"].number) } == Array(2...refused + 1))
            let many = try await Self.post(live.api, keys.admin, [[UInt8]](repeating: good, count: 1_001))
            #expect(try many.status == 413 && JSON(many)["code"].text == "too_large")
        }
    }

    @Test func `other keys, and keys of other apps, neither export nor import`() async throws {
        try await withDaemon { live in
            let (keys, other) = (try await live.api.makeApp(), try await live.api.makeApp("other"))
            let line = try Self.entry("a", of: [1])
            #expect(try await Self.put(live.api, keys.admin, line, [1]).status == 200)
            for key in [keys.ingest, keys.read, keys.send] {
                #expect(try await live.api.get("/v1/files:export", key: key).status == 403)
                #expect(try await Self.post(live.api, key, [line]).status == 403)
                #expect(try await Self.put(live.api, key, line, [2]).status == 403)
            }
            #expect(try await live.api.get("/v1/files:export").status == 401)
            // A key is of one app, whatever the query says.
            let foreign = try await live.api.get("/v1/files:export?app=\(keys.app)", key: other.admin)
            #expect(try foreign.status != 200 || JSON(foreign)["items"].items.isEmpty)
            #expect(try await JSON(Self.post(live.api, other.admin, [line]))["missing"].items.map(\.number) == [1])
            let moved = try Self.entry("a", of: [2])
            _ = try await live.api.request("PUT", "/v1/files:import?app=\(keys.app)", key: other.admin, body: moved + [0x0a, 2])
            #expect(try await live.api.get("/v1/files/\(keys.app)/a", key: keys.admin).body == [1])
        }
    }

    @Test func `quotas of the app and of users hold`() async throws {
        try await withDaemon(configure: { ($0.store.files.appBytes, $0.store.files.userBytes) = (3 << 20, 1 << 20) }) { live in
            let keys = try await live.api.makeApp()
            func status(_ path: String, _ size: Int, owner: String? = nil) async throws -> Int {
                let bytes = someBytes(size)
                var file = try #require(JSONSerialization.jsonObject(with: Data(Self.entry(path, of: bytes))) as? [String: [String: Any]])
                if let owner { file["file"]?["owner"] = owner }
                return try await Self.put(live.api, keys.admin, Self.line(file), bytes).status
            }
            #expect(try await status("a", 900_000, owner: "ann") == 200)
            #expect(try await status("b", 900_000, owner: "ann") == 413)
            #expect(try await status("c", 2_200_000) == 200)
            #expect(try await status("d", 200_000) == 413)
            #expect(try await JSON(live.api.get("/v1/files:usage", key: keys.read))["bytes"].number == 3_100_000)
        }
    }

    // MARK: Interruption

    @Test func `a file whose request broke off is missing, and is sent again`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let bytes = someBytes(1 << 20)
            let line = try Self.entry("a", of: bytes)
            let whole = TestClient.bytes("PUT", "/v1/files:import", key: keys.admin, body: line + [0x0a] + bytes)
            for cut in [40_000, whole.count - 1] {
                try await HTTPConnection(.port(live.api.port)).send(whole.prefix(cut))
                let isMissing = try await JSON(Self.post(live.api, keys.admin, [line]))["missing"].items.map(\.number) == [1]
                #expect(isMissing)
            }
            #expect(try await Self.put(live.api, keys.admin, line, bytes).status == 200)
            #expect(try await JSON(Self.post(live.api, keys.admin, [line]))["files"].number == 1)
            #expect(try await live.api.get("/v1/files/\(keys.app)/a", key: keys.admin).body == bytes)
        }
    }
}
