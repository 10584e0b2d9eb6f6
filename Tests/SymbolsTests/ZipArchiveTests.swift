// SPDX-License-Identifier: Apache-2.0

import Compression
import Crashes
import TestSupport
import Testing

@testable import Symbols

struct ZipArchiveTests {
    private static let text = Array(String(repeating: "let a = 1;\n", count: 1_000).utf8)

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] { Array(gzip(bytes).dropFirst(10).dropLast(8)) }

    private static func file(_ change: (inout ZipFile) -> Void = { _ in }) -> [UInt8] {
        var file = ZipFile([.init("a.txt", text), .init("d/", []), .init("d/b.txt", text, deflated: deflated(text)), .init("empty", [])])
        change(&file)
        return file.bytes
    }

    private func contents(_ bytes: [UInt8], most limit: Int = 1 << 20) throws -> [String: [UInt8]] {
        let archive = try ZipArchive(bytes: bytes)
        return Dictionary(uniqueKeysWithValues: try archive.entries.map { ($0.name, try archive.contents($0, most: limit)) })
    }

    @Test(arguments: [
        file(), file { $0.prefix = Array("SYSB\u{2}\0\0\0".utf8) }, file { $0.comment = Array("PK\u{5}\u{6} a comment".utf8) },
        file { $0.comment = [UInt8](repeating: 0x50, count: 0xffff) },
    ])
    func `stored and deflated entries are read, folders are left out`(bytes: [UInt8]) throws {
        #expect(try contents(bytes) == ["a.txt": Self.text, "d/b.txt": Self.text, "empty": []])
    }

    @Test func `an empty archive has no entries`() throws {
        #expect(try ZipArchive(bytes: ZipFile([]).bytes).entries.isEmpty)
    }

    @Test(arguments: [
        ("", [UInt8](), "its directory is missing"), ("no directory", Array(file().dropLast(22)), "its directory is missing"),
        ("count", file { $0.count = 5 }, ""), ("smaller count", file { $0.count = 3 }, "its directory does not end with its last entry"),
        ("ZIP64 count", file { $0.count = 0xffff }, "it is a ZIP64 archive"),
        ("ZIP64 offset", file { $0.directoryOffset = 0xffff_ffff }, "it is a ZIP64 archive"),
        ("ZIP64 size", file { $0.entries[0].size = 0xffff_ffff }, "it is a ZIP64 archive"),
        ("a large directory", file { $0.directoryBytes = 0x7fff_ffff }, "its directory is too large"),
        ("a directory before the file", file { $0.directoryOffset = 1 << 30 }, "its directory is outside the file"),
        ("another disk", file { $0.disk = 1 }, "it is a part of an archive"),
        ("encrypted", file { $0.entries[0].flags = 1 }, "an entry is encrypted"),
        ("method", file { $0.entries[0].method = 12 }, "an entry has compression method 12"),
        ("stored sizes", file { $0.entries[0].size += 1 }, "the sizes of an entry differ"),
        ("no name", file { $0.entries[0].name = [] }, "an entry has a long name or none"),
        ("long name", file { $0.entries[0].name = [UInt8](repeating: 0x61, count: 4_097) }, "an entry has a long name or none"),
        ("name", file { $0.entries[0].name = [0xff] }, "the name of an entry is not UTF-8"),
        ("one place", file { $0.entries[2].offset = 0 }, "its entries overlap"),
        ("overlap", file { $0.entries[2].offset = 40 }, "its entries overlap"),
        ("beyond the directory", file { $0.entries[3].offset = 1 << 20 }, "its entries overlap"),
    ])
    func `an inconsistent directory is rejected`(name: String, bytes: [UInt8], reason: String) {
        let failure = #expect(throws: SymbolFileError.self) { try ZipArchive(bytes: bytes) }
        if !reason.isEmpty { #expect(failure == .damaged(reason), "\(name)") }
    }

    @Test(arguments: [
        ("checksum", file { $0.entries[0].checksum ^= 1 }), ("deflated checksum", file { $0.entries[2].checksum ^= 1 }),
        ("longer than stated", file { $0.entries[2].size -= 1 }), ("shorter than stated", file { $0.entries[2].size += 1 }),
        ("a bomb", file { $0.entries[2] = .init("b", [0], deflated: deflated([UInt8](repeating: 0, count: 8 << 20))) }),
        ("no deflate", file { $0.entries[2].packed = [UInt8](repeating: 0xff, count: $0.entries[2].packedSize) }),
        (
            "truncated",
            file {
                $0.entries[2].packed = Array($0.entries[2].packed.dropLast()); $0.entries[2].packedSize -= 1
            }
        ),
        ("no header", file { $0.entries[3].offset = 12_000 }),
    ])
    func `an entry that differs from the directory is rejected while it is read`(name: String, bytes: [UInt8]) throws {
        guard let archive = try? ZipArchive(bytes: bytes) else { return #expect(name == "no header") }
        #expect(throws: SymbolFileError.self, "\(name)") { for entry in archive.entries { _ = try archive.contents(entry, most: 1 << 30) } }
    }

    @Test func `an entry is never read beyond its stated size, or beyond the limit`() throws {
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        var entry = ZipFile.Entry("bomb", zeros, deflated: Self.deflated(zeros))
        let archive = try ZipArchive(bytes: ZipFile([entry]).bytes)
        var taken = 0
        #expect(throws: SymbolFileError.tooLarge(1 << 20)) { try archive.read(archive.entries[0], most: 1 << 20) { taken += $0.count } }
        #expect(taken == 0)
        entry.size = 1_000
        let lying = try ZipArchive(bytes: ZipFile([entry]).bytes)
        #expect(throws: SymbolFileError.damaged("an entry is larger than stated")) {
            try lying.read(lying.entries[0], most: 1 << 20) { taken += $0.count }
        }
        #expect(taken == 0)
    }

    @Test func `every truncation and every changed byte is survived`() throws {
        let bytes = ZipFile([.init("a", [1, 2, 3]), .init("b", Self.text, deflated: Self.deflated(Self.text))]).bytes
        for end in bytes.indices { #expect(throws: SymbolFileError.self) { try contents(Array(bytes[..<end])) } }
        for place in bytes.indices {
            for value in [0, 0x7f, 0xff] as [UInt8] {
                var changed = bytes
                changed[place] = value
                _ = try? contents(changed)
            }
        }
    }
}

struct ArtifactBundleTests {
    private static let id = "8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34"

    private func bundle(_ files: String, head: String = #""release":"shop@1","dist":"7","#, names: [String]) throws -> ArtifactBundle {
        let manifest = Array("{\(head)\"files\":{\(files)}}".utf8)
        return try ArtifactBundle(bytes: ZipFile(names.map { .init($0, Array($0.utf8)) } + [.init("manifest.json", manifest)]).bytes)
    }

    private func scripts(_ files: String, names: [String] = ["a.js", "m"]) throws -> [String] {
        try bundle(files, names: names).scripts.map { "\($0.url ?? "-") \($0.debugID?.text ?? "-") \($0.map.name) \($0.code?.name ?? "-")" }
    }

    @Test func `a bundle has a release and a distribution`() throws {
        let found = try bundle("", names: [])
        #expect(found.release == "shop@1" && found.distribution == "7" && found.scripts.isEmpty)
        #expect(try bundle("", head: "", names: []).release == nil)
    }

    @Test(arguments: [
        ("Sourcemap", "a.js.map", "~/js/a.js.map"), ("sourcemap", "../m/a.map", "~/m/a.map"), ("X-SourceMap", "/a.map", "~/a.map"),
        ("Sourcemap", "https://cdn/x.map", "https://cdn/x.map"), ("Sourcemap", "~/x.map", "~/x.map"), ("Sourcemap", "./../../../a.map", "~/a.map"),
        ("Other", "", "~/js/a.js.map"),
    ])
    func `a minified file refers to its map`(header: String, reference: String, url: String) throws {
        let code = #""a.js":{"type":"minified_source","url":"~/js/a.js","headers":{"\#(header)":"\#(reference)"}}"#
        #expect(try scripts(code + #","m":{"type":"source_map","url":"\#(url)"}"#) == ["~/js/a.js - m a.js"])
        #expect(try scripts(code + #","m":{"type":"source_map","url":"\#(url)x"}"#).first?.hasSuffix(" m -") == true)
    }

    @Test func `debug IDs assign maps without URLs`() throws {
        let header = #""headers":{"debug-id":"\#(Self.id)"}"#
        #expect(
            try scripts(#""a.js":{"type":"minified_source",\#(header)},"m":{"type":"source_map","headers":{"Debug-Id":"\#(Self.id)"}}"#)
                == ["- \(Self.id) m a.js"])
        #expect(try scripts(#""m":{"type":"source_map","url":"~/a.js.map",\#(header)}"#) == ["~/a.js \(Self.id) m -"])
        #expect(try scripts(#""m":{"type":"source_map","url":"~/a.js.map","headers":{"debug-id":"none"}}"#) == ["~/a.js - m -"])
    }

    @Test func `other entries and names that the archive does not have are left out`() throws {
        #expect(
            try scripts(
                #""x":{"type":"source_map"},"a.js":{"type":"source"},"m":7,"../../etc/passwd":{"type":"source_map","url":"~/a"}"#) == [])
    }

    @Test(arguments: ["", "[]", "7", "{", #"{"files":[]}"#, #"{"files":{"m":{"type":"source_map","headers":[],"url":7}}}"#])
    func `a manifest of other shape has no scripts or is rejected`(manifest: String) {
        let bytes = ZipFile([.init("m", [1]), .init("manifest.json", Array(manifest.utf8))]).bytes
        if let found = try? ArtifactBundle(bytes: bytes) { #expect(found.scripts.allSatisfy { $0.url == nil && $0.debugID == nil }) }
        #expect(throws: SymbolFileError.self) { try ArtifactBundle(bytes: ZipFile([.init("m", [1])]).bytes) }
    }
}
