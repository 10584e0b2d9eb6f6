// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// Names of files that would lead out of a folder, end a line, or be another name to another reader, through each protocol of files.
@Suite struct HostileNameTests {
    enum Door: CaseIterable {
        case native, tus, firebase, google, googleJSON
    }

    /// Parts of names, some of which are not UTF-8.
    private static let parts: [[UInt8]] =
        [
            "..", ".", "", "../..", "/etc/passwd", "a/../b", "..\\..", "%2e%2e", "%2E%2E%2Fa", "..%2f", "..;", "\0", "a\0b", "\r\n", "\n", "\u{7f}",
            "\u{85}", "\u{2028}", "\u{202e}gpj", "\u{feff}", "\u{301}", "e\u{301}", "é", "\u{1F469}\u{200D}\u{1F4BB}", "CON", "~", "$HOME", "`id`",
            "'; DROP TABLE objects; --", "%", "%%", "%zz", "?alt=media", "#a", "&name=b", "+", " ", " a ", "/", "//", "files.db", "control.sock",
            "-rf", "*", "{path}", "\"", "\\", "rewriteTo/b/1/o/x", "o/compose", String(repeating: "a", count: 255),
            String(repeating: "ä", count: 500),
            String(repeating: "a", count: 1_024), String(repeating: "a/", count: 505) + "a",
        ].map { Array($0.utf8) } + [[0xff], [0xc0, 0xae, 0xc0, 0xae], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xe2, 0x82]]

    private static let around: [(String, String)] = [
        ("", ""), ("a/", ""), ("", "/a"), ("a/", "/b"), ("", ".png"), ("../", ""), ("", "/.."), ("a/./", ""), ("%00", ""),
    ]
    private static let shares = 3
    private static let firstShare = Int.random(in: 0..<shares)

    /// A third of the names, in which each part has three surroundings. The doors together get all names, and each gets others in another run.
    private static func names(for door: Door) -> [[UInt8]] {
        let share = firstShare + (Door.allCases.firstIndex(of: door) ?? 0)
        var names: [[UInt8]] = []
        for (place, part) in parts.enumerated() {
            for (number, (before, after)) in around.enumerated() where (number + place + share).isMultiple(of: shares) {
                names.append(Array(before.utf8) + part + Array(after.utf8))
            }
        }
        return names
    }

    /// Whether a name is a path of a file, by its own rules.
    private static func isPath(_ name: [UInt8]) -> Bool {
        guard (1...1_024).contains(name.count), let text = String(validating: name, as: UTF8.self) else { return false }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }) { return false }
        let segments = name.split(separator: 0x2f, omittingEmptySubsequences: false)
        return segments.allSatisfy { !$0.isEmpty && $0 != [0x2e] && $0 != [0x2e, 0x2e] }
    }

    private static func encoded(_ name: [UInt8], slash: String = "%2F") -> String {
        name.map { byte in
            if byte == 0x2f { return slash }
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2e
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    /// The bytes of a JSON string; what is not UTF-8 stays.
    private static func escaped(_ name: [UInt8]) -> [UInt8] {
        name.flatMap { byte in
            byte < 0x20 ? Array("\\u00\(Hex.encode([byte]))".utf8) : byte == 0x22 || byte == 0x5c ? [0x5c, byte] : [byte]
        }
    }

    private static func put(_ name: [UInt8], _ bytes: [UInt8], by door: Door, _ api: TestClient, _ key: String) async throws -> Reply {
        switch door {
        case .native: return try await api.request("PUT", "/v1/files/1/\(encoded(name, slash: "/"))", key: key, body: bytes)
        case .firebase: return try await api.request("POST", "/v0/b/1/o?name=\(encoded(name))", key: key, body: bytes)
        case .google:
            return try await api.request("POST", "/upload/storage/v1/b/1/o?uploadType=media&name=\(encoded(name))", key: key, body: bytes)
        case .googleJSON:
            let head = Array("{\"name\": \"".utf8) + escaped(name) + Array("\"}".utf8)
            let body = Array("--b\r\n\r\n".utf8) + head + Array("\r\n--b\r\n\r\n".utf8) + bytes + Array("\r\n--b--".utf8)
            let type = ["Content-Type": "multipart/related; boundary=b"]
            return try await api.request("POST", "/upload/storage/v1/b/1/o?uploadType=multipart", key: key, headers: type, body: body)
        case .tus:
            let headers = [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)", "Upload-Metadata": "path \(Base64.encode(name))",
                "Content-Type": "application/offset+octet-stream",
            ]
            return try await api.request("POST", "/v1/uploads/1", key: key, headers: headers, body: bytes)
        }
    }

    private static func get(_ name: [UInt8], by door: Door, _ api: TestClient, _ key: String) async throws -> Reply {
        let target =
            switch door {
            case .native: "/v1/files/1/\(encoded(name, slash: "/"))"
            case .tus: "/v1/files/1/\(encoded(name))"
            case .firebase: "/v0/b/1/o/\(encoded(name))?alt=media"
            case .google: "/download/storage/v1/b/1/o/\(encoded(name))?alt=media"
            case .googleJSON: "/storage/v1/b/1/o/\(encoded(name))?alt=media"
            }
        return try await api.get(target, key: key)
    }

    @Test(arguments: Door.allCases)
    func `a hostile name is refused or kept exactly, and leads nowhere`(door: Door) async throws {
        let names = Self.names(for: door)
        #expect(Set(names).count >= 150)
        try await withDaemon(configure: { $0.store.files.reserveBytes = 0 }) { live in
            let key = try await live.api.makeApp().admin
            let before = try Set(Folder.names(in: live.folder))
            var kept: Set<[UInt8]> = []
            for (number, name) in names.enumerated() {
                // Large enough for a file of its own.
                let bytes = Array("\(number) ".utf8) + Array(repeating: UInt8(7), count: number % 5 == 0 ? 17_000 : 3)
                let reply = try await Self.put(name, bytes, by: door, live.api, key)
                let got = try await Self.get(name, by: door, live.api, key)
                guard Self.isPath(name) else {
                    #expect((400..<500).contains(reply.status), "\(door) \(Self.encoded(name)): \(reply.status)")
                    // An empty name, and one that is a route, is not that of a file.
                    #expect(got.body != bytes, "\(door) \(Self.encoded(name)): \(got.status)")
                    continue
                }
                #expect([200, 201, 204].contains(reply.status), "\(door) \(Self.encoded(name)): \(reply.status) \(reply.text)")
                #expect(got.status == 200 && got.body == bytes, "\(door) \(Self.encoded(name)): \(got.status)")
                kept.insert(name)
            }
            #expect(try await Self.listed(live.api, key) == Set(kept.map(Self.withoutMark)))
            let new = try Set(Folder.names(in: live.folder)).subtracting(before).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
            #expect(new.isSubset(of: ["files"]), "\(new)")
            for folder in try Folder.names(in: live.folder + "/files/1") {
                for file in try Folder.names(in: "\(live.folder)/files/1/\(folder)") { #expect(Hex.decode(file)?.count == 16, "\(file)") }
            }
        }
    }

    /// The name as Foundation's reader of JSON returns it, which drops a byte order mark at the start of a text.
    private static func withoutMark(_ name: [UInt8]) -> [UInt8] { name.starts(with: [0xef, 0xbb, 0xbf]) ? Array(name.dropFirst(3)) : name }

    private static func listed(_ api: TestClient, _ key: String) async throws -> Set<[UInt8]> {
        var (names, target): (Set<[UInt8]>, String?) = ([], "/v1/files/1?limit=1000")
        while let page = target {
            let reply = try JSON(await api.get(page, key: key))
            for item in reply["items"].items { names.insert(Array(item["path"].text.utf8)) }
            target = reply["next"].exists ? "/v1/files/1?limit=1000&after=\(encoded(Array(reply["next"].text.utf8)))" : nil
        }
        return names
    }
}
