// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// Resumable uploads by tus 1.0.
@Suite struct TusTests {
    private static let type = "application/offset+octet-stream"

    private struct Client: Sendable {
        let api: TestClient
        let app: Int64
        let key: String

        func send(
            _ method: String, _ target: String, _ headers: [String: String] = [:], body: [UInt8]? = nil, key: String? = nil
        ) async throws -> Reply {
            try await api.request(
                method, target, key: key ?? self.key, headers: headers.merging(["Tus-Resumable": "1.0.0"]) { a, _ in a }, body: body)
        }

        func create(_ path: String, _ length: Int, _ headers: [String: String] = [:], key: String? = nil) async throws -> Reply {
            let metadata = "path \(Base64.encode(Array(path.utf8))),type \(Base64.encode(Array("image/png".utf8))),album c3VtbWVy"
            let fields = headers.merging(["Upload-Length": "\(length)", "Upload-Metadata": metadata]) { a, _ in a }
            return try await send("POST", "/v1/uploads/\(app)", fields, key: key)
        }

        func append(_ target: String, at offset: Int, _ bytes: [UInt8], _ headers: [String: String] = [:]) async throws -> Reply {
            try await send(
                "PATCH", target, headers.merging(["Upload-Offset": "\(offset)", "Content-Type": TusTests.type]) { a, _ in a }, body: bytes)
        }

        func file(_ path: String) async throws -> Reply { try await api.get("/v1/files/\(app)/\(path)", key: key) }
    }

    private static func run(_ body: @Sendable (Client) async throws -> Void) async throws {
        try await withDaemon(configure: { $0.store.files.reserveBytes = 0 }) { live in
            let keys = try await live.api.makeApp()
            try await body(Client(api: live.api, app: keys.app, key: keys.admin))
        }
    }

    @Test func `an upload in parts becomes a file with its details`() async throws {
        try await Self.run { client in
            let bytes = someBytes(300_000)
            let made = try await client.create("users/ann/a b.png", bytes.count)
            #expect(made.status == 201 && made.headers["tus-resumable"] == "1.0.0" && made.headers["upload-expires"]?.hasSuffix("GMT") == true)
            let target = try #require(made.headers["location"])
            var offset = 0
            for end in [1, 100_000, 300_000] {
                let reply = try await client.append(target, at: offset, Array(bytes[offset..<end]))
                #expect(reply.status == 204 && reply.headers["upload-offset"] == "\(end)")
                offset = end
                let head = try await client.send("HEAD", target)
                #expect(head.status == 200 && head.headers["upload-offset"] == "\(end)" && head.headers["upload-length"] == "300000")
                #expect(head.headers["cache-control"] == "no-store")
                #expect(head.headers["upload-metadata"] == "path dXNlcnMvYW5uL2EgYi5wbmc=,type aW1hZ2UvcG5n,album c3VtbWVy")
                #expect(try await client.file("users/ann/a%20b.png").status == (end == 300_000 ? 200 : 404))
            }
            let got = try await client.file("users/ann/a%20b.png")
            #expect(got.body == bytes && got.headers["content-type"] == "image/png")
            #expect(try JSON(await client.file("users/ann/a%20b.png?info=1"))["metadata"]["album"].text == "summer")
        }
    }

    @Test func `the first bytes may come with the creation, and an empty file has none`() async throws {
        try await Self.run { client in
            let metadata = "filename \(Base64.encode(Array("b".utf8)))"
            let fields = ["Upload-Length": "5", "Upload-Metadata": metadata, "Content-Type": Self.type]
            let part = try await client.send("POST", "/v1/uploads/\(client.app)", fields, body: [1, 2])
            #expect(part.status == 201 && part.headers["upload-offset"] == "2")
            #expect(try await client.append(try #require(part.headers["location"]), at: 2, [3, 4, 5]).status == 204)
            #expect(try await client.file("b").body == [1, 2, 3, 4, 5])
            #expect(try await client.create("empty", 0).status == 201)
            #expect(try await client.file("empty").headers["content-length"] == "0")
        }
    }

    @Test func `a refusal of metadata says what a name twice breaks`() async throws {
        try await Self.run { client in
            let fields = ["Upload-Length": "1", "Upload-Metadata": "path YQ==,path Yg=="]
            let reply = try await client.send("POST", "/v1/uploads/\(client.app)", fields)
            #expect(try reply.status == 422 && JSON(reply)["errors"][0]["field"].text == "Upload-Metadata")
            #expect(reply.text.contains("must be names, each once, with texts in Base64, 16384 bytes at most"), "\(reply.text)")
        }
    }

    @Test func `the length may come later, once`() async throws {
        try await Self.run { client in
            let bytes = someBytes(50_000)
            let metadata = "path \(Base64.encode(Array("later".utf8)))"
            let later = ["Upload-Defer-Length": "1", "Upload-Metadata": metadata]
            for wrong in [["Upload-Length": "1"], ["Upload-Defer-Length": "2"]] {
                let fields = later.merging(wrong) { $1 }
                #expect(try await client.send("POST", "/v1/uploads/\(client.app)", fields).status == 422, "\(wrong)")
            }
            let made = try await client.send("POST", "/v1/uploads/\(client.app)", later)
            let target = try #require(made.headers["location"])
            #expect(made.status == 201 && made.headers["upload-offset"] == "0")
            #expect(try await client.append(target, at: 0, Array(bytes[..<20_000])).status == 204)
            let open = try await client.send("HEAD", target)
            #expect(open.headers["upload-defer-length"] == "1" && open.headers["upload-length"] == nil && open.headers["upload-offset"] == "20000")
            #expect(try await client.append(target, at: 20_000, [], ["Upload-Length": "19999"]).status == 413)
            #expect(try await client.append(target, at: 20_000, [], ["Upload-Length": "50000"]).status == 204)
            let known = try await client.send("HEAD", target)
            #expect(known.headers["upload-length"] == "50000" && known.headers["upload-defer-length"] == nil)
            #expect(try await client.append(target, at: 20_000, [], ["Upload-Length": "50001"]).status == 409)
            #expect(try await client.file("later").status == 404)
            #expect(try await client.append(target, at: 20_000, Array(bytes[20_000...]), ["Upload-Length": "50000"]).status == 204)
            #expect(try await client.file("later").body == bytes)
            // Bytes that are all there become a file with their length.
            let other = try await client.send("POST", "/v1/uploads/\(client.app)", later.merging(["Content-Type": Self.type]) { $1 }, body: [1, 2])
            #expect(other.status == 201 && other.headers["upload-offset"] == "2")
            let last = try #require(other.headers["location"])
            #expect(try await client.append(last, at: 2, [], ["Upload-Length": "2"]).status == 204)
            #expect(try await client.file("later").body == [1, 2])
        }
    }

    @Test func `a length that comes later is reserved, and rules decide with it`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { ($0.store.files.reserveBytes, $0.store.files.appBytes) = (0, 20 << 20) }
        try await RuleWorld.use(configure: configure) { world, documents async throws in
            let rules = "service firebase.storage { match /b/{b}/o { match /{f} { allow create: if request.resource.size < 1000; } } }"
            let set = try await world.live.api.request(
                "PUT", "/v1/files-rules", key: world.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            let ann = try await world.user()
            let client = Client(api: world.live.api, app: world.keys.app, key: ann.token)
            let later = ["Upload-Defer-Length": "1", "Upload-Metadata": "path \(Base64.encode(Array("a".utf8)))"]
            let made = try await client.send("POST", "/v1/uploads/\(client.app)", later)
            let target = try #require(made.headers["location"])
            #expect(try await client.append(target, at: 0, [], ["Upload-Length": "1000"]).status == 403)
            let denied = ["Upload-Defer-Length": "1", "Upload-Metadata": "path \(Base64.encode(Array("no/rule".utf8)))"]
            #expect(try await client.send("POST", "/v1/uploads/\(client.app)", denied).status == 403, "no length that would be allowed")
            let stranger = Client(api: world.live.api, app: world.keys.app, key: world.keys.ingest)
            let nobodys = try #require(try await stranger.send("POST", "/v1/uploads/\(client.app)", later).headers["location"])
            #expect(try await client.append(nobodys, at: 0, [1], ["Upload-Length": "9"]).status == 404, "not the user's own")
            #expect(try await stranger.send("DELETE", nobodys).status == 204)
            #expect(try await client.append(target, at: 0, [1], ["Upload-Length": "999"]).status == 204)
            let usage = try JSON(await world.live.api.get("/v1/files:usage", key: world.keys.admin))
            #expect(usage["reserved_bytes"].number == 999 && usage["open_uploads"].number == 1)
            let server = Client(api: world.live.api, app: world.keys.app, key: world.keys.admin)
            let large = try await server.send("POST", "/v1/uploads/\(client.app)", later)
            let place = try #require(large.headers["location"])
            #expect(try await server.append(place, at: 0, [], ["Upload-Length": "\(20 << 20)"]).status == 413)
            #expect(try await server.append(place, at: 0, [], ["Upload-Length": "\(10 << 20)"]).status == 204)
            #expect(try await server.send("DELETE", place).status == 204)
            #expect(try JSON(await world.live.api.get("/v1/files:usage", key: world.keys.admin))["reserved_bytes"].number == 999)
        }
    }

    @Test func `a wrong offset, version, type, length or checksum changes nothing`() async throws {
        try await Self.run { client in
            let target = try #require(try await client.create("c", 100).headers["location"])
            let bytes = someBytes(100)
            #expect(try await client.append(target, at: 0, Array(bytes[..<50])).status == 204)
            for offset in [0, 49, 51, 100] { #expect(try await client.append(target, at: offset, [1]).status == 409) }
            #expect(try await client.append(target, at: 50, [1], ["Tus-Resumable": "0.2.2"]).status == 412)
            #expect(try await client.append(target, at: 50, [1], ["Content-Type": "text/plain"]).status == 415)
            #expect(try await client.append(target, at: 50, someBytes(51)).status == 413)
            #expect(try await client.append(target, at: 50, [1], ["Upload-Offset": "-1"]).status == 422)
            #expect(try await client.append(target, at: 50, [1], ["Upload-Checksum": "md5 YQ=="]).status == 422)
            let sum = Base64.encode(SHA1.hash([1, 2, 3]))
            #expect(try await client.append(target, at: 50, [1, 2, 4], ["Upload-Checksum": "sha1 \(sum)"]).status == 460)
            #expect(try await client.send("HEAD", target).headers["upload-offset"] == "50")
            #expect(try await client.append(target, at: 50, [1, 2, 3], ["Upload-Checksum": "sha1 \(sum)"]).status == 204)
            let rest = someBytes(47)
            let sha256 = Base64.encode(SHA256.hash(rest))
            #expect(try await client.append(target, at: 53, rest, ["Upload-Checksum": "sha256 \(sha256)"]).status == 204)
            #expect(try await client.file("c").body == Array(bytes[..<50]) + [1, 2, 3] + rest)
        }
    }

    @Test func `an upload whose creation fails leaves nothing open`() async throws {
        try await Self.run { client in
            @Sendable func open() async throws -> Int {
                try JSON(await client.api.get("/v1/files:usage", key: client.key))["open_uploads"].number
            }
            let sum = Base64.encode(SHA1.hash([1, 2, 3]))
            for bytes in [[1, 2, 4], [1, 2, 3, 4]] as [[UInt8]] {
                let metadata = "path \(Base64.encode(Array("a".utf8)))"
                let headers = ["Upload-Length": "4", "Upload-Metadata": metadata, "Content-Type": Self.type, "Upload-Checksum": "sha1 \(sum)"]
                #expect(try await client.send("POST", "/v1/uploads/\(client.app)", headers, body: bytes).status == 460)
            }
            #expect(try await client.create("b", 3, ["Upload-Concat": "partial"]).status == 422)
            #expect(try await open() == 0)
            // The client of a connection that breaks never learns the address.
            let headers = ["Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": "path YQ==", "Content-Type": Self.type]
            let whole = TestClient.bytes("POST", "/v1/uploads/\(client.app)", key: client.key, headers: headers, body: Array(1...9))
            let connection = try client.api.connect()
            try await connection.send(Array(whole.dropLast(4)))
            #expect(try await eventually { try await open() == 1 })
            await connection.close()
            #expect(try await eventually { try await open() == 0 })
        }
    }

    @Test func `clients that send only POST name the method in a header field`() async throws {
        try await Self.run { client in
            let target = try #require(try await client.create("a", 3).headers["location"])
            @Sendable func post(_ method: String, _ target: String, _ headers: [String: String] = [:], _ body: [UInt8] = []) async throws -> Reply {
                try await client.send("POST", target, headers.merging(["X-HTTP-Method-Override": method]) { a, _ in a }, body: body)
            }
            let piece = ["Upload-Offset": "0", "Content-Type": Self.type]
            #expect(try await post("PATCH", target, piece, [1, 2]).status == 204)
            let head = try await post("HEAD", target)
            #expect(head.status == 200 && head.headers["upload-offset"] == "2" && head.body.isEmpty)
            #expect(try await client.append(target, at: 2, [3]).status == 204)
            #expect(try await client.file("a").body == [1, 2, 3])
            let other = try #require(try await client.create("b", 3).headers["location"])
            #expect(try await post("PUT", other).status == 405)
            #expect(try await post("delete", other).status == 204)
            #expect(try await client.send("HEAD", other).status == 404)
            // Paths of other protocols have their own methods alone.
            #expect(try await post("DELETE", "/v1/files/\(client.app)/a").status != 204)
            #expect(try await client.file("a").status == 200)
        }
    }

    @Test func `an ended upload is gone, and its file is removed`() async throws {
        try await withDaemon(configure: { $0.store.files.reserveBytes = 0 }) { live in
            let keys = try await live.api.makeApp()
            let client = Client(api: live.api, app: keys.app, key: keys.admin)
            let target = try #require(try await client.create("d", 100_000).headers["location"])
            #expect(try await client.append(target, at: 0, someBytes(50_000)).status == 204)
            #expect(try await client.send("DELETE", target).status == 204)
            for method in ["HEAD", "DELETE"] { #expect(try await client.send(method, target).status == 404) }
            #expect(try await eventually { try Folder.names(in: live.folder + "/incoming").isEmpty })
            for id in ["x", String(repeating: "0", count: 32), "..%2F.."] {
                #expect(try await client.send("HEAD", "/v1/uploads/\(client.app)/\(id)").status == 404)
            }
            let options = try await live.api.request("OPTIONS", "/v1/uploads/\(client.app)")
            #expect(
                options.status == 204 && options.headers["tus-version"] == "1.0.0" && options.headers["tus-extension"]?.contains("checksum") == true)
            #expect(options.headers["tus-max-size"] == "\(5 << 30)")
        }
    }

    @Test func `what arrived before a broken connection stays, also after a kill`() async throws {
        let (folder, bytes) = (TemporaryFolder(), someBytes(400_000))
        let settings = ["INGESTD_FILES_RESERVE": "0"]
        let first = try await DaemonProcess.start(in: folder.path, environment: settings)
        let keys = try await first.api.makeApp()
        let client = Client(api: first.api, app: keys.app, key: keys.admin)
        let target = try #require(try await client.create("e", bytes.count).headers["location"])
        #expect(try await client.append(target, at: 0, Array(bytes[..<100_000])).status == 204)
        let headers = ["Tus-Resumable": "1.0.0", "Upload-Offset": "100000", "Content-Type": Self.type]
        let whole = TestClient.bytes("PATCH", target, key: keys.admin, headers: headers, body: Array(bytes[100_000...]))
        let connection = try first.api.connect()
        try await connection.send(Array(whole.dropLast(50_000)))
        await connection.close()
        // The request ends what still comes, so how much arrived is open.
        let offset = try #require(Int(try await client.send("HEAD", target).headers["upload-offset"] ?? ""))
        #expect((100_000...350_000).contains(offset))
        await first.killHard()

        let second = try await DaemonProcess.start(in: folder.path, environment: settings)
        let later = Client(api: second.api, app: keys.app, key: keys.admin)
        #expect(try await later.send("HEAD", target).headers["upload-offset"] == "\(offset)")
        #expect(try await later.append(target, at: offset, Array(bytes[offset...])).status == 204)
        #expect(try await later.file("e").body == bytes)
        #expect(await second.stop() == 0)
    }

    @Test func `users and clients without a token have few open uploads from an address, and do not block each other`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { ($0.store.files.reserveBytes, $0.store.files.openUploadsOfAddress) = (0, 2) }
        try await RuleWorld.use(configure: configure) { world, documents async throws in
            let rules = "service firebase.storage { match /b/{b}/o { match /{f} { allow create, update: if true; } } }"
            let set = try await world.live.api.request(
                "PUT", "/v1/files-rules", key: world.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            let nobody = Client(api: world.live.api, app: world.keys.app, key: world.keys.ingest)
            let first = try #require(try await nobody.create("a", 3).headers["location"])
            let second = try #require(try await nobody.create("b", 3).headers["location"])
            #expect(try await nobody.create("c", 3).status == 429)
            let start = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Length": "3"]
            #expect(try await world.live.api.request("POST", "/v0/b/\(world.keys.app)/o?name=c", headers: start, body: []).status == 429)
            // The places of users are others. Once they are taken, a user who has none gets one. Servers are not limited by their address.
            let (ann, bob) = (try await world.user().token, try await world.user("bob@example.org").token)
            let expected = [(ann, [201, 201, 429]), (bob, [201, 429]), (world.keys.admin, [201, 201, 201, 201])]
            for (key, statuses) in expected {
                let client = Client(api: world.live.api, app: world.keys.app, key: key)
                for status in statuses { #expect(try await client.create("c", 3).status == status) }
            }
            // The place is free again after an end and after a file.
            #expect(try await nobody.send("DELETE", first).status == 204)
            let third = try #require(try await nobody.create("c", 3).headers["location"])
            #expect(try await nobody.create("d", 3).status == 429)
            #expect(try await nobody.append(second, at: 0, [1, 2, 3]).status == 204)
            #expect(try await nobody.append(third, at: 0, [1, 2, 3]).status == 204)
            for name in ["d", "e"] { #expect(try await nobody.create(name, 3).status == 201, "\(name)") }
            #expect(try await nobody.create("f", 3).status == 429)
        }
    }

    @Test func `users of an address declare a fifth of the app's space at most, and all clients half of it`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { configuration in
            (configuration.store.files.reserveBytes, configuration.store.files.appBytes, configuration.store.files.fileBytes) = (0, 1_000, 100)
        }
        try await RuleWorld.use(configure: configure) { world, documents async throws in
            let rules = "service firebase.storage { match /b/{b}/o { match /{f} { allow create: if true; } } }"
            let set = try await world.live.api.request(
                "PUT", "/v1/files-rules", key: world.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            let client = Client(api: world.live.api, app: world.keys.app, key: world.keys.admin)
            var tokens: [String] = []
            for number in 0..<6 { tokens.append(try await world.user("user\(number)@example.org").token) }
            func create(_ length: Int, as key: String, from address: Int) async throws -> Reply {
                try await client.create("a", length, ["X-Forwarded-For": "203.0.113.\(address)"], key: key)
            }
            // Two users of an address take its share, and a client without a token has no other one.
            let first = try #require(try await create(100, as: tokens[0], from: 1).headers["location"])
            #expect(try await create(100, as: tokens[1], from: 1).status == 201)
            for key in [tokens[2], world.keys.ingest] { #expect(try await create(1, as: key, from: 1).status == 429) }
            // A length that comes later counts, too.
            let later = ["Upload-Defer-Length": "1", "Upload-Metadata": "path \(Base64.encode(Array("b".utf8)))"]
            let place = ["X-Forwarded-For": "203.0.113.1"]
            let open = try await client.send("POST", "/v1/uploads/\(client.app)", later.merging(place) { $1 }, key: tokens[2])
            let target = try #require(open.headers["location"])
            let length = ["Upload-Offset": "0", "Content-Type": Self.type, "Upload-Length": "50"]
            #expect(try await client.send("PATCH", target, length, body: [], key: tokens[2]).status == 429)
            // The clients of other addresses have half of the space with them.
            for number in 3..<6 { #expect(try await create(100, as: tokens[number], from: number).status == 201) }
            #expect(try await create(1, as: world.keys.ingest, from: 7).status == 429)
            #expect(try await create(100, as: world.keys.admin, from: 7).status == 201)
            let whole = try await client.api.request("PUT", "/v1/files/\(client.app)/whole", key: tokens[2], body: someBytes(100))
            #expect(whole.status == 201)
            // An end gives the bytes back.
            #expect(try await client.send("DELETE", first, key: tokens[0]).status == 204)
            #expect(try await client.send("PATCH", target, length, body: [], key: tokens[2]).status == 204)
            #expect(try await create(51, as: world.keys.ingest, from: 7).status == 429)
            #expect(try await create(50, as: world.keys.ingest, from: 7).status == 201)
        }
    }

    @Test func `rules decide about users, and an upload is its user's alone`() async throws {
        try await RuleWorld.use(configure: { $0.store.files.reserveBytes = 0 }) { world, documents async throws in
            let rules = "service firebase.storage { match /b/{b}/o { match /users/{uid}/{f} { allow create: if request.auth.uid == uid; } } }"
            let headers = ["Content-Type": "application/json"]
            let set = try await world.live.api.request(
                "PUT", "/v1/files-rules", key: world.keys.admin, headers: headers, body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            let (ann, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let client = Client(api: world.live.api, app: world.keys.app, key: ann.token)
            let made = try await client.create("users/\(ann.id)/a", 3)
            #expect(made.status == 201)
            let target = try #require(made.headers["location"])
            #expect(try await client.create("users/\(bob.id)/a", 3).status == 403)
            for key in [bob.token, world.keys.ingest] {
                #expect(try await client.send("HEAD", target, key: key).status == 404)
                #expect(try await client.send("DELETE", target, key: key).status == 404)
            }
            #expect(try await client.append(target, at: 0, [1]).status == 204)
            // Rules that changed since the upload began decide at its end.
            let closed = try await world.live.api.request(
                "PUT", "/v1/files-rules", key: world.keys.admin, headers: headers,
                body: Array(#"{"source": "service firebase.storage { match /b/{b}/o { match /none { allow get; } } }"}"#.utf8))
            #expect(closed.status == 200)
            #expect(try await client.append(target, at: 1, [2, 3]).status == 403)
            #expect(try await client.send("HEAD", target).status == 404)
        }
    }
}
