// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// Files over HTTP with a key of a server.
@Suite struct FileRouteTests {
    private struct Client: Sendable {
        let live: LiveDaemon
        let keys: AppKeys

        func send(
            _ method: String, _ path: String, key: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil
        ) async throws -> Reply {
            try await live.api.request(method, "/v1/files/\(keys.app)\(path)", key: key ?? keys.admin, headers: headers, body: body)
        }

        func put(_ path: String, _ bytes: [UInt8], _ headers: [String: String] = [:]) async throws -> Reply {
            try await send("PUT", path, headers: headers, body: bytes)
        }

        /// A request without a key.
        func open(_ target: String, headers: [String: String] = [:]) async throws -> Reply {
            try await live.api.request("GET", target, headers: headers)
        }
    }

    private static func run(clock: WallClock = .system, _ body: @Sendable (Client) async throws -> Void) async throws {
        try await withDaemon(clock: clock, configure: { $0.store.files.reserveBytes = 0 }) { live in
            try await body(Client(live: live, keys: try await live.api.makeApp()))
        }
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 3 << 20])
    func `a file comes back as it was sent, with its headers and details`(size: Int) async throws {
        try await Self.run { client in
            let bytes = someBytes(size)
            let headers = ["Content-Type": "image/png", "Cache-Control": "max-age=60", "X-Meta-Owner": "Ann", "Content-Language": "de"]
            let made = try await client.put("/users/ann/a%20b.png", bytes, headers)
            #expect(made.status == 201)
            let file = try JSON(made)
            #expect(file["path"].text == "users/ann/a b.png" && Int(file["size"].number) == size && file["type"].text == "image/png")
            #expect(file["sha256"].text == Hex.encode(SHA256.hash(bytes)) && file["metadata"]["owner"].text == "Ann")
            let got = try await client.send("GET", "/users/ann/a%20b.png")
            #expect(got.status == 200 && got.body == bytes)
            #expect(got.headers["etag"] == made.headers["etag"] && got.headers["content-type"] == "image/png")
            #expect(got.headers["cache-control"] == "max-age=60" && got.headers["content-language"] == "de")
            #expect(got.headers["content-disposition"] == "inline; filename*=UTF-8''a%20b.png")
            let head = try await client.send("HEAD", "/users/ann/a%20b.png")
            #expect(head.status == 200 && head.headers["content-length"] == "\(size)" && head.body.isEmpty)
            #expect(try await client.put("/users/ann/a%20b.png", bytes, headers).status == 200)
            let info = try await client.send("GET", "/users/ann/a%20b.png?info=1")
            #expect(try JSON(info)["metageneration"].number == 1 && info.headers["content-type"] == "application/json")
        }
    }

    @Test func `a page of a list ends at its bytes, which count as memory until a client has read them`() async throws {
        try await Self.run { client in
            let note = String(repeating: "x", count: 8_000)
            for n in 0..<150 { #expect(try await client.put("/f\(n)", [], ["X-Meta-Note": note]).status == 201) }
            let first = try JSON(await client.send("GET", "?limit=1000", key: client.keys.read))
            #expect((100..<150).contains(first["items"].items.count))
            let second = try JSON(await client.send("GET", "?limit=1000&after=\(first["next"].text)", key: client.keys.read))
            #expect(first["items"].items.count + second["items"].items.count == 150 && !second["next"].exists)
            @Sendable func memory() async throws -> Double {
                let name = "signalbox_request_memory_bytes "
                let line = try #require(try await client.live.api.get("/metrics").lines.first { $0.hasPrefix(name) })
                return try #require(Double(line.dropFirst(name.count)))
            }
            // A response is given back after its client has received it.
            #expect(try await eventually { try await memory() < 1_000_000 })
            // More than the kernel keeps for a client that does not read.
            let connection = try HTTPConnection(.port(client.live.api.port), receiveBuffer: 256 << 10)
            let request = TestClient.bytes("GET", "/v1/files/\(client.keys.app)?limit=1000", key: client.keys.read)
            for _ in 0..<30 { try await connection.send(request) }
            #expect(try await eventually { try await memory() > 1_000_000 })
            await connection.close()
            #expect(try await eventually { try await memory() < 1_000_000 })
        }
    }

    @Test func `a list replaces the folders of persons, and a body without one changes nothing`() async throws {
        try await Self.run { client async throws in
            func persons(_ body: String? = nil) async throws -> Reply {
                let headers = ["Content-Type": "application/json"]
                return try await client.live.api.request(
                    body == nil ? "GET" : "PUT", "/v1/files:persons", key: client.keys.admin, headers: headers, body: body.map { Array($0.utf8) })
            }
            #expect(try await persons(#"{"paths": ["people/{uid}/", "orders/{uid}/"]}"#).status == 200)
            for body in [
                "{}", #"{"path": []}"#, #"{"paths": null}"#, #"{"paths": ["users"]}"#, #"{"paths": ["teams/*/{uid}/"]}"#,
                #"{"paths": ["**/{uid}/"]}"#,
            ] {
                #expect(try await persons(body).status == 422, "\(body)")
            }
            #expect(try await persons().text == #"{"paths":["people/{uid}/","orders/{uid}/"]}"#)
            #expect(try await persons(#"{"paths": []}"#).status == 200)
            #expect(try await persons().text == #"{"paths":[]}"#)
        }
    }

    @Test func `ranges and conditions are those of the standard`() async throws {
        try await Self.run { client in
            let bytes = someBytes(100_000)
            let tag = try #require(try await client.put("/a", bytes).headers["etag"])
            let part = try await client.send("GET", "/a", headers: ["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(bytes[10..<20]) && part.headers["content-range"] == "bytes 10-19/100000")
            #expect(try await client.send("GET", "/a", headers: ["Range": "bytes=100000-"]).status == 416)
            #expect(try await client.send("GET", "/a", headers: ["If-None-Match": tag]).status == 304)
            #expect(try await client.send("GET", "/a", headers: ["If-Match": "\"1\""]).status == 412)
            #expect(try await client.put("/a", [1], ["If-None-Match": "*"]).status == 412)
            #expect(try await client.put("/a", [1], ["If-Match": "\"1\""]).status == 412)
            for other in ["\"x\"", "\"\"", "\"1-2-3\"", "W/\(tag)", "\"x\", \"1\""] {
                for method in ["GET", "PUT", "PATCH", "DELETE"] {
                    let body = method == "PATCH" ? Array(#"{"content_type": "text/plain"}"#.utf8) : []
                    let headers = ["If-Match": other, "Content-Type": "application/json"]
                    let reply = try await client.send(method, "/a", headers: headers, body: body)
                    #expect(reply.status == 412, "\(method) \(other)")
                }
            }
            #expect(try await client.put("/a", [1], ["If-Match": String(tag.dropFirst())]).status == 422)
            #expect(try await client.put("/a", [1], ["If-Match": "\"x\", \(tag)"]).status == 200)
            #expect(try await client.send("DELETE", "/a", headers: ["If-Match": tag]).status == 412)
            #expect(try await client.send("DELETE", "/a").status == 204)
            #expect(try await client.send("GET", "/a").status == 404)
            #expect(try await client.send("DELETE", "/a").status == 404)
            #expect(try await client.put("/a", [1], ["If-Match": "\"x\""]).status == 412)
        }
    }

    @Test func `only types that run nothing are shown inline`() async throws {
        let types = [
            ("text/html", false), ("image/svg+xml", false), ("application/pdf", false), ("text/xml", false), ("TEXT/HTML; charset=utf-8", false),
            ("application/octet-stream", false), ("image/png", true), ("IMAGE/PNG", true), ("text/plain; charset=utf-8", true),
            ("video/mp4", true), ("text/plain, text/html", false), ("image/png/html", false), ("image/pngx", false),
            ("image/png text/html", false), ("audio/mpeg,html", false), ("text/plain ; charset=utf-8", true),
        ]
        try await Self.run { client in
            for (type, isInline) in types {
                let headers = ["Content-Type": type, "Content-Disposition": "inline; filename=\"x.html\""]
                #expect([200, 201].contains(try await client.put("/page.html", someBytes(20), headers).status))
                let got = try await client.send("GET", "/page.html")
                #expect(got.headers["content-disposition"]?.hasPrefix(isInline ? "inline" : "attachment") == true, "\(type)")
                #expect(got.headers["x-content-type-options"] == "nosniff")
                #expect(got.headers["content-security-policy"] == "sandbox; default-src 'none'")
            }
        }
    }

    @Test func `a link and a download URL end at their times, and the log has no part of them`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await Self.run(clock: clock.clock) { client in
            #expect(try await client.put("/a/hushed.png", someBytes(20_000), ["Content-Type": "image/png"]).status == 201)
            let made = try await client.send("POST", "/a/hushed.png?link", body: Array(#"{"expires_in": 60}"#.utf8))
            let link = try JSON(made)["url"].text
            let target = "/v0/b/\(client.keys.app)/o/a%2Fhushed.png"
            let token = try JSON(await client.live.api.get(target, key: client.keys.admin))["downloadTokens"].text
            let url = "\(target)?alt=media&token=\(token)"
            @Sendable func statuses(_ target: String) async throws -> [Int] {
                let whole = try await client.open(target)
                let range = try await client.open(target, headers: ["Range": "bytes=0-1"])
                let head = try await client.live.api.request("HEAD", target)
                return [whole.status, range.status, head.status]
            }
            clock.advance(by: .seconds(59))
            #expect(try await statuses(link) == [200, 206, 200])
            clock.advance(by: .seconds(1))
            #expect(try await statuses(link) == [401, 401, 401])
            clock.advance(by: .days(6))
            #expect(try await statuses(url) == [200, 206, 200])
            clock.advance(by: .days(1))
            #expect(try await statuses(url) == [403, 403, 403])
            let log = client.live.log.text
            let signature = try #require(link.split(separator: "=").last)
            #expect(log.contains("route=/v1/files/{app}/{path}") && log.contains("route=/v0/b/{bucket}/o/{path}"))
            for secret in ["hushed", String(signature), token] { #expect(!secret.isEmpty && !log.contains(secret)) }
        }
    }

    @Test func `a link reads one file until it is revoked, and no other`() async throws {
        try await Self.run { client in
            _ = try await client.put("/a/b", someBytes(20_000), ["Content-Type": "image/png"])
            _ = try await client.put("/a/c", [1])
            let made = try await client.send(
                "POST", "/a/b?link", body: Array(#"{"expires_in": 60, "disposition": "attachment", "revocable": true}"#.utf8))
            #expect(made.status == 201)
            let (url, id) = (try JSON(made)["url"].text, Int(try JSON(made)["id"].number))
            let got = try await client.open(url)
            #expect(got.status == 200 && got.body == someBytes(20_000) && got.headers["content-disposition"]?.hasPrefix("attachment") == true)
            #expect(try await client.open(url.replacing("a/b", with: "a/c")).status == 401)
            #expect(try await client.open(url.replacing("d=attachment", with: "d=inline")).status == 401)
            #expect(try await client.open(url + "&info=1").status == 404)
            #expect(try await client.open("/v1/files/\(client.keys.app)/a/b").status == 401)
            #expect(try await client.send("DELETE", "/a/b?link=\(id)").status == 204)
            #expect(try await client.open(url).status == 401)
        }
    }

    @Test func `files are listed by folder, copied and described`() async throws {
        try await Self.run { client in
            for path in ["/a/1", "/a/x/1", "/a/x/2", "/b"] { #expect(try await client.put(path, [1]).status == 201) }
            #expect(try await client.send("GET", "?delimiter=\(String(repeating: "a", count: 17))").status == 422)
            let page = try JSON(await client.send("GET", "?prefix=a/&delimiter=/"))
            #expect(page["items"].items.map { $0["path"].text } == ["a/1"] && page["folders"].items.map(\.text) == ["a/x/"])
            let first = try JSON(await client.send("GET", "?limit=2"))
            #expect(first["next"].text == "a/x/1")
            #expect(try JSON(await client.send("GET", "?limit=2&after=a/x/1"))["items"].items.map { $0["path"].text } == ["a/x/2", "b"])
            #expect(try await client.send("POST", "/a/1?copy_to=c/d").status == 201)
            let changed = try await client.send(
                "PATCH", "/c/d", headers: ["Content-Type": "application/json"],
                body: Array(#"{"content_type": "text/plain", "metadata": {"k": "v"}, "cache_control": null}"#.utf8))
            #expect(try changed.status == 200 && JSON(changed)["type"].text == "text/plain" && JSON(changed)["metadata"]["k"].text == "v")
            #expect(try await client.send("GET", "/c/d").headers["content-type"] == "text/plain")
        }
    }

    @Test func `a path that leads out is refused by each method`() async throws {
        let paths = ["/..%2Fa", "/a//b", "/a/../b", "/%2e%2e/a", "/a%00b", "/a%0Ab", "/%ff", "/a/", "/" + String(repeating: "a", count: 1_025)]
        try await Self.run { client in
            for path in paths {
                for method in ["GET", "PUT", "DELETE", "PATCH"] {
                    let headers = ["Content-Type": "application/json"]
                    let status = try await client.send(method, path, headers: headers, body: Array("{}".utf8)).status
                    #expect([400, 404, 422].contains(status), "\(method) \(path): \(status)")
                }
            }
        }
    }

    @Test func `an entity tag names the details as well, and is read whole`() async throws {
        try await Self.run { client in
            let headers = ["Content-Type": "application/json"]
            func patch(_ tag: String, _ body: String) async throws -> Reply {
                try await client.send("PATCH", "/a", headers: headers.merging(["If-Match": tag]) { $1 }, body: Array(body.utf8))
            }
            let first = try #require(try await client.put("/a", [1]).headers["etag"])
            let second = try #require(try await patch(first, #"{"metadata": {"a": "1"}}"#).headers["etag"])
            #expect(try await patch(first, #"{"metadata": {"a": "2"}}"#).status == 412)
            #expect(try await patch(second, #"{"metadata": {"a": null, "b": "3"}}"#).status == 200)
            for tag in [String(first.dropLast()) + "x\"", "\"\"", "\"-1\"", "\"1-\"", "\"1-2-3\"", "\"99999999999999999999\""] {
                #expect(try await patch(tag, "{}").status == 412, "\(tag)")
            }
            for tag in ["1", "\""] { #expect(try await patch(tag, "{}").status == 422, "\(tag)") }
            #expect(try JSON(await client.send("GET", "/a?info=1"))["metadata"].names == ["b"])
            let wrong = try await client.send("PATCH", "/a", headers: headers, body: Array(#"{"metadata": {"c": 5}}"#.utf8))
            #expect(try wrong.status == 422 && JSON(wrong)["errors"][0]["field"].text == "metadata")
        }
    }

    @Test func `a change of the details makes the old entity tag wrong for every method`() async throws {
        try await Self.run { client in
            let old = try #require(try await client.put("/a", [1]).headers["etag"])
            let patch = try await client.send(
                "PATCH", "/a", headers: ["Content-Type": "application/json", "If-Match": old], body: Array(#"{"metadata": {"k": "v"}}"#.utf8))
            let new = try #require(patch.headers["etag"])
            #expect(new != old)
            let json = ["Content-Type": "application/json"]
            for method in ["GET", "PUT", "DELETE", "PATCH"] {
                let fields = json.merging(["If-Match": old]) { $1 }
                #expect(
                    try await client.send(method, "/a", headers: fields, body: method == "GET" ? nil : Array("{}".utf8)).status == 412, "\(method)")
            }
            #expect(try await client.send("GET", "/a", headers: ["If-Match": new]).body == [1])
            #expect(try await client.send("GET", "/a", headers: ["If-None-Match": new]).status == 304)
            #expect(try await client.send("GET", "/a", headers: ["If-None-Match": old]).status == 200)
            #expect(try await client.put("/a", [2], ["If-Match": new]).status == 200)
            #expect(try await client.put("/a", [3], ["If-Match": new]).status == 412)
            #expect(try await client.send("GET", "/a").body == [2])
        }
    }

    @Test func `bytes sent and transfers are counted`() async throws {
        try await Self.run { client in
            @Sendable func metric(_ name: String) async throws -> Int {
                let text = try await client.live.api.get("/metrics").text
                let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
            }
            let (sent, small, large) = ("signalbox_files_download_bytes_total", someBytes(100), someBytes(100_000))
            _ = try await client.put("/small", small)
            _ = try await client.put("/large", large)
            #expect(try await metric(sent) == 0)
            _ = try await client.send("GET", "/small")
            _ = try await client.send("HEAD", "/small")
            _ = try await client.send("GET", "/large", headers: ["Range": "bytes=0-49999"])
            #expect(try await eventually { try await metric(sent) == 50_100 })
            let connection = try client.live.api.connect()
            let whole = TestClient.bytes("PUT", "/v1/files/\(client.keys.app)/half", key: client.keys.admin, body: large)
            try await connection.send(Array(whole.dropLast(1_000)))
            #expect(try await eventually { try await metric("signalbox_files_transfers") == 1 })
            await connection.close()
            #expect(try await eventually { try await metric("signalbox_files_transfers") == 0 })
        }
    }

    @Test func `without a link nobody learns which apps there are`() async throws {
        try await Self.run { client in
            var answers: [String] = []
            for app in ["\(client.keys.app)", "999999", "nowhere"] {
                let reply = try await client.open("/v1/files/\(app)/a?e=1&s=x")
                answers.append("\(reply.status) \(try JSON(reply)["detail"].text) \(try JSON(reply)["hint"].text)")
            }
            #expect(Set(answers).count == 1 && answers[0].hasPrefix("401"), "\(answers)")
            let other = try await client.live.api.makeApp("other")
            for app in ["\(other.app)", "other", "nowhere"] {
                let reply = try await client.live.api.get("/v1/files/\(app)/a", key: client.keys.admin)
                #expect(try reply.status == 404 && JSON(reply)["hint"].text == "Name the app of the key.", "\(app)")
            }
        }
    }

    @Test func `keys of other roles and apps get nothing`() async throws {
        try await Self.run { client in
            #expect(try await client.put("/a", [1]).status == 201)
            for key in [client.keys.read, client.keys.send] {
                for method in ["GET", "PUT", "DELETE", "PATCH"] { #expect(try await client.send(method, "/a", key: key, body: [1]).status == 403) }
            }
            #expect(try await client.send("GET", "", key: client.keys.read).status == 200)
            let other = try await client.live.api.makeApp("other")
            for method in ["GET", "PUT", "DELETE"] { #expect(try await client.send(method, "/a", key: other.admin, body: [1]).status == 404) }
        }
    }

    @Test func `bytes that are not the promised ones, too many or half are no file`() async throws {
        try await Self.run { client in
            let digest = Base64.encode(SHA256.hash([1, 2, 3]))
            #expect(try await client.put("/a", [1, 2, 4], ["Content-Digest": "sha-256=:\(digest):"]).status == 422)
            #expect(try await client.send("GET", "/a").status == 404)
            #expect(try await client.put("/a", [1, 2, 3], ["Content-Digest": "sha-256=:\(digest):"]).status == 201)
            let connection = try client.live.api.connect()
            let whole = TestClient.bytes("PUT", "/v1/files/\(client.keys.app)/half", key: client.keys.admin, body: someBytes(100_000))
            try await connection.send(Array(whole.dropLast(1_000)))
            #expect(try await eventually { try !Folder.names(in: client.live.folder + "/incoming").isEmpty })
            await connection.close()
            #expect(try await eventually { try Folder.names(in: client.live.folder + "/incoming").isEmpty })
            #expect(try await client.send("GET", "/half").status == 404)
        }
    }
}
