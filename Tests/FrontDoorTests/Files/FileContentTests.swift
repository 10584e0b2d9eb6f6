// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// The response headers of files that a browser could take for a page: every type with every disposition, with bytes of two formats.
@Suite struct FileContentTests {
    /// Types that browsers show without running anything in them.
    private static let safe = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "IMAGE/PNG", "text/plain", "text/plain; charset=utf-8",
        "audio/mpeg", "video/mp4", "Video/WebM",
    ]
    private static let others = [
        "text/html", "TEXT/HTML", "text/html; charset=utf-8", "application/xhtml+xml", "image/svg+xml", "IMAGE/SVG+XML;charset=utf-8", "text/xml",
        "application/xml", "application/pdf", "application/javascript", "text/css", "application/wasm", "multipart/mixed", "message/rfc822",
        "application/octet-stream", "application/x-shockwave-flash", "text/vtt", "text/plainx", "image/pngx", "image/", "/png", "text", "*/*",
        "text/plain, text/html", "text/html, image/png", "image/png/../html", "application/json", "video/x+xml", "Audio/Y+XML",
        "image/png text/html", "text/plain text/html", "video/mp4,text",
    ]
    private static let dispositions: [String?] = [nil, "inline", "inline; filename=\"x.html\"", "attachment", "attachment; filename=a.png", "other"]

    /// Bytes that are an image, a document or a text for one reader, and a page for another.
    private static let polyglots: [[UInt8]] = [
        Array("GIF89a/*<script>alert(1)</script>*/=1;".utf8), [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("<html><script>".utf8),
        Array("%PDF-1.7\n<html><script>alert(1)</script>".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8),
        [0xff, 0xd8, 0xff, 0xe0] + Array("<!DOCTYPE html><script src=x>".utf8), Array("\u{feff}<script>alert(1)</script>".utf8),
    ]

    private struct Client: Sendable {
        let keys: AppKeys
        let connection: TestSupport.HTTPConnection

        func request(_ method: String, _ target: String, _ headers: [String: String] = [:], _ body: [UInt8]? = nil) async throws -> Reply {
            let bytes = TestClient.bytes(method, target, key: keys.admin, headers: headers, body: body)
            return try await connection.exchange(bytes, toHead: method == "HEAD")
        }

        /// Reads the target of a link, without a key.
        func follow(_ target: String) async throws -> Reply {
            try await connection.exchange(TestClient.bytes("GET", target))
        }

        /// Reads a file through each protocol, and by links of each disposition.
        func responses(_ name: String) async throws -> [(how: String, reply: Reply)] {
            let app = keys.app
            var out: [(String, Reply)] = [
                ("native", try await request("GET", "/v1/files/\(app)/\(name)")),
                ("part", try await request("GET", "/v1/files/\(app)/\(name)", ["Range": "bytes=0-"])),
                ("firebase", try await request("GET", "/v0/b/\(app)/o/\(name)?alt=media")),
                ("google", try await request("GET", "/download/storage/v1/b/\(app)/o/\(name)?alt=media")),
                ("head", try await request("HEAD", "/v1/files/\(app)/\(name)")),
            ]
            for disposition in ["inline", "attachment"] {
                let made = try await request("POST", "/v1/files/\(app)/\(name)?link", [:], Array(#"{"disposition": "\#(disposition)"}"#.utf8))
                out.append(("link \(disposition)", try await follow(try JSON(made)["url"].text)))
            }
            return out
        }
    }

    @Test func `no type with no disposition and no bytes is a page of this origin`() async throws {
        try await withDaemon(configure: { $0.store.files.reserveBytes = 0 }) { live in
            let client = Client(keys: try await live.api.makeApp(), connection: try live.api.connect())
            for (number, type) in (Self.safe + Self.others).enumerated() {
                let bytes = Self.polyglots[number % Self.polyglots.count]
                for disposition in Self.dispositions {
                    var fields = ["Content-Type": type]
                    if let disposition { fields["Content-Disposition"] = disposition }
                    let put = try await client.request("PUT", "/v1/files/\(client.keys.app)/x.html", fields, bytes)
                    #expect([200, 201].contains(put.status), "\(type) \(disposition ?? "")")
                    for (how, reply) in try await client.responses("x.html") {
                        let comment: Comment = "\(type), \(disposition ?? "none"), \(how)"
                        #expect([200, 206].contains(reply.status) && (how == "head" || reply.body == bytes), comment)
                        #expect(reply.headers["x-content-type-options"] == "nosniff", comment)
                        #expect(reply.headers["content-security-policy"] == "sandbox; default-src 'none'", comment)
                        #expect(reply.headers["cross-origin-resource-policy"] == "cross-origin", comment)
                        #expect(reply.headers["referrer-policy"] == "no-referrer", comment)
                        #expect(reply.headers["content-type"] == type, comment)
                        let shown = try #require(reply.headers["content-disposition"])
                        if !Self.safe.contains(type) { #expect(shown.hasPrefix("attachment;"), comment) }
                        if how == "link attachment" { #expect(shown.hasPrefix("attachment"), comment) }
                    }
                }
            }
        }
    }

    @Test func `of 64 clients that store a new file one does`() async throws {
        try await withDaemon(configure: { $0.store.files.reserveBytes = 0 }) { live in
            let keys = try await live.api.makeApp()
            @Sendable func request(
                _ method: String, _ name: String, _ headers: [String: String] = [:], _ body: [UInt8]? = nil
            ) async throws -> Reply {
                try await live.api.request(method, "/v1/files/\(keys.app)/\(name)", key: keys.admin, headers: headers, body: body)
            }
            for (name, size) in [("small", 100), ("large", 20_000)] {
                let replies = try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
                    for number in 0..<64 {
                        group.addTask {
                            let bytes = Array(repeating: UInt8(number), count: size)
                            return (number, try await request("PUT", name, ["If-None-Match": "*"], bytes))
                        }
                    }
                    return try await group.reduce(into: [(Int, Reply)]()) { $0.append($1) }
                }
                let stored = replies.filter { $0.1.status == 201 }
                #expect(stored.count == 1 && replies.allSatisfy { [201, 412, 429].contains($0.1.status) }, "\(replies.map(\.1.status))")
                let winner = try #require(stored.first?.0)
                #expect(try await request("GET", name).body == Array(repeating: UInt8(winner), count: size))
                let onDisk = try await eventually { try Folder.names(in: live.folder + "/incoming").isEmpty }
                #expect(onDisk)
            }
        }
    }
}
