// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// The requests of Firebase's SDKs for files, as the JS and iOS SDKs write them.
@Suite struct FirebaseStorageTests {
    struct World: Sendable {
        let accounts: AccountWorld
        let documents: DocumentClient
        let bucket: String

        var keys: AppKeys { documents.keys }
        var api: TestClient { documents.live.api }

        /// Sends a request with `Authorization: Firebase TOKEN`, or without the field.
        func send(
            _ method: String, _ target: String, as token: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil
        ) async throws -> Reply {
            let fields = token.map { ["Authorization": "Firebase \($0)"] } ?? [:]
            let path = target.hasPrefix("/v0") ? target : "/v0/b/\(bucket)/o\(target)"
            return try await api.request(method, path, headers: headers.merging(fields) { $1 }, body: body)
        }

        func asServer(_ method: String, _ target: String, body: [UInt8]? = nil) async throws -> Reply {
            try await api.request(method, "/v0/b/\(bucket)/o\(target)", key: documents.key, body: body)
        }

        /// Begins an upload as the JS SDK does and returns the path of its URL.
        func start(_ name: String, _ length: Int?, as token: String?, metadata: String = "{}", ios: Bool = false) async throws -> String {
            let prefix = ios ? "X-Goog-Upload-" : "X-Goog-Upload-Header-"
            var headers = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "\(prefix)Content-Type": "image/png"]
            if let length { headers["\(prefix)Content-Length"] = "\(length)" }
            let query = "?name=\(name.percentEncoded)" + (ios ? "&uploadType=resumable" : "")
            let reply = try await send("POST", query, as: token, headers: headers, body: Array(metadata.utf8))
            #expect(reply.status == 200 && reply.body.isEmpty && reply.headers["x-goog-upload-status"] == "active", "\(reply)")
            #expect(reply.headers["x-goog-upload-chunk-granularity"] == nil)
            let url = try #require(reply.headers["x-goog-upload-url"])
            #expect(url.hasPrefix("http://"))
            return "/" + url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst(2).joined()
        }

        func command(_ command: String, _ target: String, at offset: Int? = nil, as token: String?, _ body: [UInt8] = []) async throws -> Reply {
            var headers = ["X-Goog-Upload-Command": command]
            if let offset { headers["X-Goog-Upload-Offset"] = "\(offset)" }
            return try await send("POST", target, as: token, headers: headers, body: body)
        }
    }

    static let rules = """
        rules_version = '2'; service firebase.storage { match /b/{bucket}/o {
          match /users/{uid}/{file=**} {
            allow read, delete, update: if request.auth.uid == uid;
            allow create: if request.auth.uid == uid && request.resource.size < 1000000 && request.resource.contentType == 'image/png';
          }
          match /open/{file=**} { allow read, write: if true; }
          match /drop/{file} { allow create, update: if true; }
        } }
        """

    static func use(
        _ tokens: DownloadTokens = .expiring, bucket: String? = nil, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        try await RuleWorld.use(
            configure: {
                $0.store.files.reserveBytes = 0
                $0.store.files.downloadTokens = tokens
                configure(&$0)
            }
        ) { accounts, documents async throws in
            let source = rules.replacing("\n", with: "\\n")
            let set = try await documents.live.api.request(
                "PUT", "/v1/files-rules", key: documents.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(source)"}"#.utf8))
            #expect(set.status == 200, "\(set.text)")
            try await body(World(accounts: accounts, documents: documents, bucket: bucket ?? "\(documents.keys.app)"))
        }
    }

    // MARK: Whole files

    @Test(arguments: ["", ".appspot.com", ".firebasestorage.app"])
    func `a file is put, described, read by its URL, changed and deleted`(suffix: String) async throws {
        try await Self.use { base in
            let world = World(accounts: base.accounts, documents: base.documents, bucket: base.bucket + suffix)
            let (ann, bytes) = (try await world.accounts.user(), someBytes(20_000))
            let name = "users/\(ann.id)/a b.png"
            let put = try await world.send("POST", "?name=\(name.percentEncoded)", as: ann.token, headers: ["Content-Type": "image/png"], body: bytes)
            #expect(put.status == 200, "\(put.text)")
            let made = try JSON(put)
            #expect(made["name"].text == name && made["bucket"].text == world.bucket && made["size"].text == "20000")
            #expect(made["crc32c"].text == Base64.encode(FileSums(of: bytes).crc32cBytes) && made["timeCreated"].text.hasSuffix("Z"))
            let target = "/\(name.percentEncoded)"
            let described = try await world.send("GET", target, as: ann.token)
            #expect(try described.status == 200 && JSON(described)["contentType"].text == "image/png")
            let token = try JSON(described)["downloadTokens"].text
            // The URL works without any sign-in, and a wrong token does not.
            let got = try await world.send("GET", "\(target)?alt=media&token=\(token.percentEncoded)")
            #expect(got.status == 200 && got.body == bytes && got.headers["content-type"] == "image/png")
            #expect(try await world.send("GET", "\(target)?alt=media&token=x\(token.percentEncoded)").status == 403)
            #expect(try await world.send("GET", "\(target)?alt=media", as: ann.token, headers: ["Range": "bytes=0-9"]).body == Array(bytes[..<10]))
            let details = #""contentType": "image/webp", "cacheControl": "no-store", "metadata": {"k": "v", "n": null}"#
            let change = Array("{\"name\": \"ignored\", \(details)}".utf8)
            for (method, headers) in [("PATCH", [:]), ("PUT", [:]), ("POST", ["X-HTTP-Method-Override": "PATCH"])] {
                let reply = try await world.send(method, target, as: ann.token, headers: headers, body: change)
                #expect(try reply.status == 200 && JSON(reply)["metadata"]["k"].text == "v" && JSON(reply)["contentType"].text == "image/webp")
                #expect(try JSON(reply)["downloadTokens"].text == token)
            }
            let cleared = try await world.send("PATCH", target, as: ann.token, body: Array(#"{"metadata": null, "cacheControl": null}"#.utf8))
            #expect(cleared.status == 200 && !cleared.text.contains("\"metadata\":") && !cleared.text.contains("cacheControl"))
            #expect(try await world.send("DELETE", target, as: ann.token).status == 204)
            #expect(try await world.send("GET", target, as: ann.token).status == 404)
            #expect(try await world.send("GET", "\(target)?alt=media&token=\(token.percentEncoded)").status == 403)
        }
    }

    @Test func `metadata may come before the bytes, with their checksum`() async throws {
        try await Self.use { world in
            let bytes = someBytes(100_000) + Array("\r\n--boun".utf8)
            let md5 = Base64.encode(MD5.hash(bytes))
            func put(_ metadata: String, as token: String? = nil, _ length: Int = .max) async throws -> Reply {
                let head = "--bound\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(metadata)\r\n--bound\r\nContent-Type: image/png"
                let body = Array("\(head)\r\n\r\n".utf8) + bytes + Array("\r\n--bound--".utf8)
                let headers = ["X-Goog-Upload-Protocol": "multipart", "Content-Type": "multipart/related; boundary=bound"]
                return try await world.send("POST", "?name=open%2Fm", as: token, headers: headers, body: Array(body.prefix(length)))
            }
            let made = try await put(#"{"name": "open/other", "md5Hash": "\#(md5)", "cacheControl": "max-age=1", "metadata": {"a": "b"}}"#)
            #expect(made.status == 200 && made.headers["x-goog-upload-status"] == "final", "\(made.text)")
            #expect(try JSON(made)["name"].text == "open/m" && JSON(made)["md5Hash"].text == md5 && JSON(made)["contentType"].text == "image/png")
            let got = try await world.send("GET", "/open%2Fm?alt=media")
            #expect(got.body == bytes && got.headers["cache-control"] == "max-age=1")
            let wrong = try await put(#"{"md5Hash": "\#(Base64.encode(MD5.hash([])))"}"#)
            #expect(wrong.status == 400 && wrong.headers["x-goog-upload-status"] == "final")
            for (metadata, length) in [("{", Int.max), ("[]", .max), ("{}", 1_000), (#"{"metadata": {"a": 1}}"#, .max)] {
                #expect(try await put(metadata, length).status == 400, "\(metadata)")
            }
            #expect(try await world.send("GET", "/open%2Fm?alt=media").body == bytes)
        }
    }

    @Test func `an upload gives no token to a user who may not read the file`() async throws {
        try await Self.use { world in
            let ann = try await world.accounts.user()
            for (folder, mayRead) in [("drop", false), ("open", true)] {
                let put = try await world.send("POST", "?name=\(folder)%2Fa", as: ann.token, body: [1])
                let target = try await world.start("\(folder)/b", 1, as: ann.token)
                let last = try await world.command("upload, finalize", target, at: 0, as: ann.token, [1])
                let again = try await world.command("query", target, as: ann.token)
                let head = "--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: image/png\r\n\r\n1\r\n--b--"
                let headers = ["X-Goog-Upload-Protocol": "multipart", "Content-Type": "multipart/related; boundary=b"]
                let related = try await world.send("POST", "?name=\(folder)%2Fc", as: ann.token, headers: headers, body: Array(head.utf8))
                for reply in [put, last, again, related] {
                    #expect(try reply.status == 200 && JSON(reply)["downloadTokens"].exists == mayRead, "\(reply.text)")
                }
            }
        }
    }

    // MARK: Several requests

    @Test(arguments: [false, true])
    func `an upload goes on where it is, and its end may be repeated`(ios: Bool) async throws {
        try await Self.use { world in
            let (ann, bytes) = (try await world.accounts.user(), someBytes(300_000))
            let name = "users/\(ann.id)/r.png"
            let target = try await world.start(name, bytes.count, as: ann.token, metadata: #"{"metadata": {"k": "v"}}"#, ios: ios)
            let first = try await world.command("upload", target, at: 0, as: ann.token, Array(bytes[..<100_000]))
            #expect(first.status == 200 && first.headers["x-goog-upload-status"] == "active" && first.body.isEmpty)
            let query = try await world.command("query", target, as: ann.token)
            #expect(query.headers["x-goog-upload-size-received"] == "100000" && query.headers["x-goog-upload-status"] == "active")
            // What came before is skipped.
            let second = try await world.command("upload", target, at: 60_000, as: ann.token, Array(bytes[60_000..<200_000]))
            #expect(second.status == 200 && second.headers["x-goog-upload-size-received"] == "200000")
            let ahead = try await world.command("upload", target, at: 250_000, as: ann.token, Array(bytes[250_000...]))
            #expect(ahead.status == 409 && ahead.headers["x-goog-upload-status"] == "active")
            #expect(try await world.command("finalize", target, at: 200_000, as: ann.token).headers["x-goog-upload-status"] == "active")
            let end = try await world.command("upload, finalize", target, at: 200_000, as: ann.token, Array(bytes[200_000...]))
            #expect(try end.status == 200 && end.headers["x-goog-upload-status"] == "final" && JSON(end)["metadata"]["k"].text == "v", "\(end.text)")
            for command in ["upload, finalize", "finalize", "query"] {
                let again = try await world.command(command, target, at: 200_000, as: ann.token, command == "query" ? [] : Array(bytes[200_000...]))
                #expect(again.status == 200 && again.body == end.body && again.headers["x-goog-upload-status"] == "final", "\(command)")
                // Without it the JavaScript SDK, which asks after a pause at the last piece, reports an unknown error.
                #expect(again.headers["x-goog-upload-size-received"] == "300000", "\(command)")
            }
            let got = try await world.send("GET", "/\(name.percentEncoded)?alt=media", as: ann.token)
            #expect(got.body == bytes && got.headers["content-type"] == "image/png")
        }
    }

    @Test func `an upload can be finalized without bytes, without a length, and cancelled`() async throws {
        try await Self.use { world in
            let target = try await world.start("open/late", nil, as: nil)
            #expect(try await world.command("upload", target, at: 0, as: nil, [1, 2, 3]).status == 200)
            #expect(try await world.command("finalize", target, at: 3, as: nil).status == 200)
            #expect(try await world.send("GET", "/open%2Flate?alt=media").body == [1, 2, 3])
            let other = try await world.start("open/never", 10, as: nil)
            let cancelled = try await world.command("cancel", other, as: nil)
            #expect(cancelled.status == 200 && cancelled.headers["x-goog-upload-status"] == "cancelled")
            let gone = try await world.command("query", other, as: nil)
            #expect(gone.status == 404 && gone.headers["x-goog-upload-status"] == "final")
            // Rules do not know the size, so it is limited.
            let endless = try await world.start("open/endless", nil, as: nil)
            #expect(try await world.command("upload", endless, at: 0, as: nil, someBytes((16 << 20) + 1)).status == 413)
        }
    }

    @Test func `refusals that are meant are final, and an upload is its user's alone`() async throws {
        try await Self.use { world in
            let (ann, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            let name = "users/\(ann.id)/f.png"
            let headers = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Type": "image/png"]
            for (token, length) in [(bob.token, 10), (nil, 10), (ann.token, 2_000_000)] {
                let fields = headers.merging(["X-Goog-Upload-Header-Content-Length": "\(length)"]) { $1 }
                let refused = try await world.send("POST", "?name=\(name.percentEncoded)", as: token, headers: fields, body: Array("{}".utf8))
                #expect(refused.status == 403 && refused.headers["x-goog-upload-status"] == "final")
                #expect(try JSON(refused)["error"]["code"].number == 403)
            }
            let target = try await world.start(name, 10, as: ann.token)
            for token in [bob.token, nil] {
                for command in ["query", "cancel", "upload, finalize"] {
                    #expect(try await world.command(command, target, at: 0, as: token, [1]).status == 404, "\(command)")
                }
            }
            #expect(try await world.command("upload, finalize", target, at: 0, as: ann.token, someBytes(11)).status == 413)
            #expect(try await world.command("jump", target, at: 0, as: ann.token).status == 400)
            #expect(try await world.command("upload, finalize", target, at: 0, as: ann.token, someBytes(10)).status == 200)
            #expect(try await world.send("POST", "?name=\(name.percentEncoded)", as: ann.token, body: someBytes(10)).status == 200)
        }
    }

    @Test func `a full quota is 402`() async throws {
        try await Self.use(configure: { $0.store.files.userBytes = 1_000 }) { world in
            let ann = try await world.accounts.user()
            let put = try await world.send(
                "POST", "?name=\("users/\(ann.id)/big".percentEncoded)", as: ann.token, headers: ["Content-Type": "image/png"], body: someBytes(1_001)
            )
            #expect(put.status == 402 && put.headers["x-goog-upload-status"] == "final")
        }
    }

    // MARK: Lists and tokens

    @Test func `files and folders are listed by page`() async throws {
        try await Self.use { world in
            for name in ["open/1", "open/x/1", "open/x/2", "open/y/1", "open/z"] {
                #expect(try await world.send("POST", "?name=\(name.percentEncoded)", body: [1]).status == 200)
            }
            let page = try JSON(await world.send("GET", "?prefix=open/&delimiter=/&maxResults=1000"))
            #expect(page["prefixes"].items.map(\.text) == ["open/x/", "open/y/"])
            #expect(page["items"].items.map { $0["name"].text } == ["open/1", "open/z"])
            #expect(page["items"].items.allSatisfy { $0["bucket"].text == world.bucket })
            var (names, token) = ([String](), "")
            repeat {
                let part = try JSON(await world.send("GET", "?prefix=open/&delimiter=/&maxResults=1&pageToken=\(token.percentEncoded)"))
                names += part["prefixes"].items.map(\.text) + part["items"].items.map { $0["name"].text }
                token = part["nextPageToken"].text
            } while !token.isEmpty
            #expect(names == ["open/1", "open/x/", "open/y/", "open/z"])
            #expect(try await world.send("GET", "?prefix=users/&delimiter=/").status == 403)
            #expect(try await world.send("GET", "?delimiter=/").status == 403)
        }
    }

    @Test func `permanent tokens are made at the upload, added and revoked by servers`() async throws {
        try await Self.use(.permanent) { world in
            let put = try await world.send("POST", "?name=open%2Ft", body: [7])
            let first = try JSON(put)["downloadTokens"].text
            #expect(first.utf8.count == 36)
            func status(_ token: String) async throws -> Int { try await world.send("GET", "/open%2Ft?alt=media&token=\(token)").status }
            #expect(try await world.send("POST", "/open%2Ft?create_token=true").status == 403)
            let more = try JSON(await world.asServer("POST", "/open%2Ft?create_token=true", body: []))["downloadTokens"].text
            #expect(more.hasPrefix(first + ",") && more.utf8.count == 73)
            let less = try JSON(await world.asServer("POST", "/open%2Ft?delete_token=\(first)", body: []))["downloadTokens"].text
            #expect(first + "," + less == more)
            // A file below no rule is read with its token alone.
            #expect(try await world.asServer("POST", "?name=secret", body: [1]).status == 200)
            let token = try JSON(await world.asServer("GET", "/secret"))["downloadTokens"].text
            #expect(try await world.send("GET", "/secret?alt=media&token=\(token)").body == [1])
            #expect(try await world.send("GET", "/secret?alt=media&token=\(less)").status == 403)
            let new = try JSON(await world.asServer("POST", "/secret?delete_token=\(token)", body: []))["downloadTokens"].text
            #expect(new.utf8.count == 36 && new != token)
            #expect(try await world.send("GET", "/secret?alt=media&token=\(token)").status == 403)
            // A file that came another way gets its token when it is described.
            let native = try await world.api.request("PUT", "/v1/files/\(world.keys.app)/open/n", key: world.documents.key, body: [1])
            #expect(native.status == 201)
            let described = try JSON(await world.send("GET", "/open%2Fn"))["downloadTokens"].text
            let again = try JSON(await world.send("GET", "/open%2Fn"))["downloadTokens"].text
            #expect(described.utf8.count == 36 && again == described)
        }
    }

    @Test func `a caller who may write but not read gets no token of what others wrote`() async throws {
        try await Self.use { world in
            #expect(try await world.asServer("POST", "?name=drop%2Fa", body: [1]).status == 200)
            let changed = try await world.send("PATCH", "/drop%2Fa", body: Array("{}".utf8))
            #expect(changed.status == 200 && !changed.text.contains("downloadTokens"))
        }
        try await Self.use(.none) { world in
            let put = try await world.send("POST", "?name=open%2Ft", body: [7])
            #expect(put.status == 200 && !put.text.contains("downloadTokens"))
            #expect(try await world.asServer("POST", "/open%2Ft?create_token=true", body: []).status == 400)
        }
    }

    // MARK: Callers and pages

    @Test func `no bearer is special, and a token is of its own app`() async throws {
        try await Self.use { world in
            let ann = try await world.accounts.user()
            let other = try await world.api.makeApp("other")
            for bearer in ["Bearer owner", "Bearer unknown", "Firebase owner", "Firebase a.b.c", "Firebase ", "Basic b3duZXI6", "owner"] {
                let reply = try await world.api.request("GET", "/v0/b/\(world.bucket)/o/open%2Fa", headers: ["Authorization": bearer])
                #expect(reply.status == 401, "\(bearer)")
                #expect(try JSON(reply)["error"]["code"].number == 401)
                let isUnreadable = ["Firebase owner", "Firebase ", "owner"].contains(bearer)
                #expect(reply.text.contains("ID token or key is required. Send an ID token as `Authorization: Firebase TOKEN`") == isUnreadable)
            }
            #expect(try await world.send("GET", "/v0/b/\(other.app)/o?prefix=open/", as: ann.token).status == 404)
            #expect(try await world.api.request("GET", "/v0/b/\(world.bucket)/o", key: other.admin).status == 404)
            #expect(try await world.api.request("GET", "/v0/b/\(world.bucket)/o", key: world.keys.read).status == 403)
            for bucket in ["none", ".appspot.com", "\(world.bucket).example.com", "..", "%00"] {
                #expect(try await world.send("GET", "/v0/b/\(bucket)/o/open%2Fa").status == 403, "\(bucket)")
            }
            // An ingest key is nobody to rules.
            #expect(try await world.api.request("GET", "/v0/b/\(world.bucket)/o?prefix=open/", key: world.keys.ingest).status == 200)
            #expect(try await world.api.request("GET", "/v0/b/\(world.bucket)/o?prefix=users/", key: world.keys.ingest).status == 403)
        }
    }

    @Test func `without a key an unknown app answers as one whose rules allow nothing`() async throws {
        try await Self.use { world in
            let other = try await world.api.makeApp("other")
            let related = Array("--b\r\n\r\n{}\r\n--b\r\n\r\n".utf8) + someBytes(20_000) + Array("\r\n--b--".utf8)
            let multipart = ["X-Goog-Upload-Protocol": "multipart", "Content-Type": "multipart/related; boundary=b"]
            let start = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Length": "5"]
            let query = ["X-Goog-Upload-Command": "query"]
            let requests: [(method: String, target: String, headers: [String: String], body: [UInt8]?)] = [
                ("GET", "/a", [:], nil), ("GET", "/a?alt=media", [:], nil), ("GET", "/a?alt=media&token=x", [:], nil), ("GET", "/%2E%2E", [:], nil),
                ("GET", "?prefix=a/&delimiter=/", [:], nil), ("GET", "?maxResults=none", [:], nil), ("DELETE", "/a", [:], nil),
                ("PATCH", "/a", [:], Array("{}".utf8)), ("POST", "/a?create_token=true", [:], []), ("POST", "?name=a", [:], [1]),
                ("POST", "?name=a", [:], someBytes(20_000)), ("POST", "?name=a", multipart, related), ("POST", "?name=a", start, Array("{}".utf8)),
                ("POST", "?name=a", multipart, Array(related.dropLast(9))),
                ("POST", "?name=a&upload_id=\(String(repeating: "0", count: 32))", query, []),
            ]
            for request in requests {
                var answers: [String] = []
                for app in ["\(other.app)", "other", "999999", "nowhere"] {
                    let reply = try await world.send(request.method, "/v0/b/\(app)/o" + request.target, headers: request.headers, body: request.body)
                    #expect(reply.status >= 400, "\(request.method) \(request.target)")
                    answers.append("\(reply.status) \(reply.headers["x-goog-upload-status"] ?? "") \(reply.text)")
                }
                #expect(Set(answers).count == 1, "\(request.method) \(request.target): \(answers)")
            }
            #expect(try await eventually { try Folder.names(in: world.accounts.live.folder + "/incoming").isEmpty })
            #expect(try Folder.names(in: world.accounts.live.folder + "/files").allSatisfy { !$0.hasPrefix("-") })
        }
    }

    @Test func `pages of allowed origins send the SDK's fields and read its answers`() async throws {
        try await Self.use(configure: { $0.server.corsOrigins = [OriginRule("https://shop.example")].compactMap(\.self) }) { world in
            let page = ["Origin": "https://shop.example"]
            let asked = "authorization,x-firebase-gmpid,x-firebase-storage-version,x-goog-upload-command,x-goog-upload-header-content-length"
            let fields = page.merging(["Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": asked]) { $1 }
            let preflight = try await world.send("OPTIONS", "?name=a", headers: fields)
            let allowed = try #require(preflight.headers["access-control-allow-headers"]).lowercased()
            for name in asked.split(separator: ",") { #expect(allowed.contains(name), "\(name)") }
            let put = try await world.send("POST", "?name=open%2Fp", headers: page, body: [1])
            #expect(put.status == 200 && put.headers["access-control-allow-origin"] == "https://shop.example")
            let exposed = try #require(put.headers["access-control-expose-headers"])
            for name in ["X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-Goog-Upload-Size-Received"] { #expect(exposed.contains(name)) }
            #expect(try await world.send("POST", "?name=open%2Fp", headers: ["Origin": "https://evil.example"], body: [1]).status == 403)
        }
    }
}
