// SPDX-License-Identifier: Apache-2.0

import Compression
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Attachments of Sentry's envelopes, from the request to the download.
@Suite struct SentryAttachmentTests {
    private static let id = "7fd08401-fdfb-4f35-babf-279a338aec19"

    private static func event(user: String = "ann") -> String {
        "{\"event_id\":\"\(id)\"}\n{\"type\":\"event\"}\n{\"message\":\"m\",\"user\":{\"id\":\"\(user)\"}}\n"
    }

    private static func file(_ name: String, _ bytes: [UInt8], type: String = "text/html") -> [UInt8] {
        let header = "{\"type\":\"attachment\",\"length\":\(bytes.count),\"filename\":\"\(name)\",\"content_type\":\"\(type)\"}\n"
        return Array(header.utf8) + bytes + [0x0a]
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(7)
        return (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }

    private static func send(_ body: [UInt8], _ world: CrashingWorld, coding: String? = nil, keyInHead: Bool = true) async throws -> Reply {
        var headers = keyInHead ? ["X-Sentry-Auth": "Sentry sentry_key=\(world.ours.ingest)"] : [:]
        headers["Content-Encoding"] = coding
        return try await world.api.request("POST", "/api/\(world.ours.app)/envelope/", headers: headers, body: body)
    }

    private static func files(_ world: CrashingWorld) async throws -> [JSON] {
        guard let issue = try await world.issues().first else { return [] }
        return try await world.get("/v1/issues/\(issue["id"].text)/events")["items"][0]["attachments"].items
    }

    @Test func `a file is listed with its event and downloaded as sent, never shown`() async throws {
        try await CrashingWorld.use { world in
            let page = Array("<script>alert(1)</script>\r\n\0".utf8)
            let envelope = Array(Self.event().utf8) + Self.file("pa\\\"ge é.html", page)
            for _ in 0..<2 { #expect(try await Self.send(envelope, world).status == 200) }
            let files = try await Self.files(world)
            #expect(files.count == 1 && files[0]["name"].text == "pa\"ge é.html" && files[0]["size"].number == page.count)
            #expect(files[0]["kept"].bool && !files[0]["reason"].exists && files[0]["type"].text == "event.attachment")
            let issue = try await world.issues()[0]["id"].text
            #expect(try await world.crash(Self.id, of: issue)["attachments"].items.count == 1)
            let path = "/v1/attachments/\(files[0]["id"].text)"
            let found = try await world.api.get(path, key: world.ours.read)
            #expect(found.status == 200 && found.body == page && found.headers["content-type"] == "application/octet-stream")
            #expect(found.headers["x-content-type-options"] == "nosniff" && found.headers["content-security-policy"] == "sandbox")
            #expect(found.headers["content-disposition"] == "attachment; filename*=UTF-8''pa%22ge%20%C3%A9.html")
            for key in [world.theirs.read, world.theirs.admin] { #expect(try await world.api.get(path, key: key).status == 404) }
            #expect(try await world.api.get(path, key: world.ours.ingest).status == 403)
            for wrong in ["0", "-1", "x", "99999", "9999999999999999999999"] {
                #expect(try await world.api.get("/v1/attachments/\(wrong)", key: world.ours.read).status == 404)
            }
        }
    }

    @Test(arguments: ["\"", "\r\n", "; filename=x", "%", "a.png"])
    func `no scalar in or beside a file's name leaves its field`(token: String) {
        for text in HostileText.around(token) {
            let field = Attachments.disposition(text)
            let isPlain = field.utf8.allSatisfy { (0x21...0x7e).contains($0) || $0 == 0x20 }
            #expect(isPlain && field.count { $0 == ";" } == 1 && !field.contains("\"") && field.count { $0 == " " } == 1, "\(text.debugDescription)")
        }
    }

    @Test func `an event is stored without a file that is too large, and says so`() async throws {
        try await CrashingWorld.use { world in
            let large = Self.noise(12 << 20)
            let envelope = Array(Self.event().utf8) + Self.file("small.bin", [1]) + Self.file("large.bin", large) + Self.file("after.bin", [2])
            #expect(try await Self.send(envelope, world).text == #"{"id":"7fd08401fdfb4f35babf279a338aec19"}"#)
            let zipped = Array(Self.event().utf8) + Self.file("large.txt", [UInt8](repeating: 0x61, count: 9 << 20))
            #expect(try await Self.send(gzip(zipped), world, coding: "gzip").status == 200)
            let files = try await Self.files(world)
            #expect(files.map(\.["name"].text) == ["small.bin", "large.bin", "large.txt"])
            #expect(files.map(\.["kept"].bool) == [true, false, false] && files.map(\.["size"].number) == [1, 12 << 20, 9 << 20])
            #expect(files[1]["reason"].text == "too_large" && files[2]["reason"].text == "too_large")
            #expect(try await world.api.get("/v1/attachments/\(files[1]["id"].text)", key: world.ours.read).status == 404)
            let metrics = try await world.api.get("/metrics").text
            #expect(metrics.contains(#"signalbox_crash_attachments_total{outcome="too_large"} 2"#))
            // An unknown key may not send more than is kept.
            let named = "{\"dsn\":\"https://\(world.ours.ingest)@example.com/1\"," + Self.event().dropFirst()
            #expect(try await Self.send(Array(named.utf8) + Self.file("large.bin", large), world, keyInHead: false).status == 413)
            // An event behind the attachment would be lost, which the response says.
            #expect(try await Self.send(Array("{}\n".utf8) + Self.file("l", large) + Array("{\"type\":\"event\"}\n{}".utf8), world).status == 413)
            #expect(try await world.issues().count == 1)
        }
    }

    @Test(arguments: [Int.max, 1 << 50, 1 << 32])
    func `the stated length of a dropped file is only a number`(length: Int) async throws {
        try await CrashingWorld.use { world in
            let header = "{\"type\":\"attachment\",\"length\":\(length),\"filename\":\"huge\"}\n"
            let envelope = Array(Self.event().utf8) + Self.file("small.bin", [1, 2, 3, 4, 5]) + Array(header.utf8) + Self.noise(12 << 20)
            let reply = try await Self.send(envelope, world)
            #expect([200, 400].contains(reply.status))
            #expect(try await Self.send(Array(Self.event().utf8) + Self.file("next.bin", [6]), world).status == 200)
            #expect(try await Self.files(world).map(\.["name"].text).contains("next.bin"))
        }
    }

    @Test func `a file in an envelope of its own joins its event`() async throws {
        try await CrashingWorld.use { world in
            let head = Array("{\"event_id\":\"\(Self.id.filter { $0 != "-" })\"}\n".utf8)
            #expect(try await Self.send(head + Self.file("early.bin", [1]), world).status == 200)
            #expect(try await Self.send(Array(Self.event().utf8), world).status == 200)
            #expect(try await Self.send(head + Self.file("late.bin", [2]), world).status == 200)
            #expect(try await Self.files(world).map(\.["name"].text) == ["late.bin"])
            let metrics = try await world.api.get("/metrics").text
            #expect(metrics.contains(#"signalbox_crash_attachments_total{outcome="without_report"} 1"#))
        }
    }

    @Test func `a user's files are exported, and deleted with the user`() async throws {
        try await CrashingWorld.use { world in
            #expect(try await Self.send(Array(Self.event().utf8) + Self.file("a.txt", Array("hello".utf8), type: "text/plain"), world).status == 200)
            let export = try JSON(try await world.api.get("/v1/users/ann/export", key: world.ours.admin))
            let files = export["attachments"].items
            #expect(files.map(\.["content"].text) == ["aGVsbG8="] && files[0]["crash"].text == Self.id && files[0]["name"].text == "a.txt")
            #expect(export["crashes"][0]["attachments"][0]["id"].text == files[0]["id"].text)
            #expect(try await world.api.request("DELETE", "/v1/users/ann", key: world.ours.admin).status == 200)
            #expect(try await world.api.get("/v1/attachments/\(files[0]["id"].text)", key: world.ours.read).status == 404)
        }
    }
}
