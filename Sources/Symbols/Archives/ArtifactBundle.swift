// SPDX-License-Identifier: Apache-2.0

package import Crashes
import JSON

/// An archive of minified files and their source maps, as `sentry-cli sourcemaps upload` makes it: 8 bytes, then a ZIP archive whose
/// `manifest.json` describes the others.
///
///     {"files": {"files/_/_/app.min.js": {"type": "minified_source", "url": "~/app.min.js", "headers": {"sourcemap": "app.min.js.map"}},
///                "files/_/_/app.min.js.map": {"type": "source_map", "url": "~/app.min.js.map"}}, "release": "shop@2.1.0"}
package struct ArtifactBundle: Sendable {
    /// A source map, with the minified file to which it belongs if the bundle contains it.
    package struct Script: Sendable, Equatable {
        /// The URL of the minified file.
        package var url: String?
        package var debugID: DebugID?
        package var map: ZipArchive.Entry
        package var code: ZipArchive.Entry?
    }

    /// `SYSB`
    private static let magic: UInt32 = 0x5359_5342
    private static let manifestBytes = 8 << 20
    private static let fileLimit = 10_000

    package let archive: ZipArchive
    package private(set) var release: String?
    package private(set) var distribution: String?
    package private(set) var scripts: [Script] = []

    /// Whether the file begins like a bundle.
    package static func isOne(_ path: String) -> Bool {
        guard let source = try? ByteSource(path: path), let head = try? source.read(at: 0, count: 4), head.count == 4 else { return false }
        return (try? Fields(bytes: head, order: .big).word32(0)) == magic
    }

    package init(path: String) throws {
        try self.init(ZipArchive(path: path))
    }

    package init(bytes: [UInt8]) throws {
        try self.init(ZipArchive(bytes: bytes))
    }

    private init(_ archive: ZipArchive) throws {
        self.archive = archive
        guard let manifest = archive.entries.first(where: { $0.name == "manifest.json" }) else {
            throw SymbolFileError.damaged("it has no manifest")
        }
        let text = try archive.contents(manifest, most: ArtifactBundle.manifestBytes)
        guard let json = try? JSONValue(text) else { throw SymbolFileError.damaged("its manifest is not JSON") }
        (release, distribution) = (json["release"]?.string, json["dist"]?.string)
        let files = json["files"]?.fields ?? []
        guard files.count <= ArtifactBundle.fileLimit else { throw SymbolFileError.damaged("it has more than \(ArtifactBundle.fileLimit) files") }
        var pairs = BundlePairs(archive.entries)
        for file in files { pairs.add(file.name, file.value) }
        scripts = pairs.scripts
    }
}

/// Assigns the source maps of a bundle to its minified files.
private struct BundlePairs {
    private struct File {
        var url: String?
        var debugID: DebugID?
        var reference: String?
        var entry: ZipArchive.Entry
    }

    private let entries: [[UInt8]: ZipArchive.Entry]
    private var codes: [File] = []
    private var maps: [File] = []

    init(_ entries: [ZipArchive.Entry]) {
        self.entries = Dictionary(entries.map { (Array($0.name.utf8), $0) }) { first, _ in first }
    }

    mutating func add(_ name: String, _ fields: JSONValue) {
        guard let entry = entries[Array(name.utf8)] else { return }
        var file = File(url: fields["url"]?.string, entry: entry)
        for header in fields["headers"]?.fields ?? [] {
            switch header.name.lowercased() {
            case "debug-id": file.debugID = header.value.string.flatMap { DebugID($0) }
            case "sourcemap", "x-sourcemap": file.reference = header.value.string
            default: break
            }
        }
        switch fields["type"]?.string {
        case "minified_source": codes.append(file)
        case "source_map": maps.append(file)
        default: break
        }
    }

    var scripts: [ArtifactBundle.Script] {
        let byURL = Dictionary(maps.indices.map { (Array((maps[$0].url ?? "").utf8), $0) }) { first, _ in first }
        let byID = Dictionary(maps.indices.compactMap { place in maps[place].debugID.map { ($0, place) } }) { first, _ in first }
        var (used, scripts): (Set<Int>, [ArtifactBundle.Script]) = ([], [])
        for code in codes {
            let url = code.url.map { ScriptURL.resolve(code.reference ?? ScriptURL.fileName($0) + ".map", against: $0) }
            guard let map = url.flatMap({ byURL[Array($0.utf8)] }) ?? code.debugID.flatMap({ byID[$0] }) else { continue }
            used.insert(map)
            scripts.append(.init(url: code.url, debugID: code.debugID ?? maps[map].debugID, map: maps[map].entry, code: code.entry))
        }
        // A map without its file belongs to the URL before `.map`.
        for map in maps.indices where !used.contains(map) {
            let url = maps[map].url.map { $0.hasSuffix(".map") ? String($0.dropLast(4)) : $0 }
            scripts.append(.init(url: url, debugID: maps[map].debugID, map: maps[map].entry))
        }
        return scripts
    }
}

/// URLs of minified files and their maps.
enum ScriptURL {
    /// Returns the last part of the path.
    static func fileName(_ url: String) -> String {
        String(decoding: url.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
    }

    /// Resolves the reference to a map against the URL of the file that contains it.
    ///
    ///     ../maps/a.js.map in ~/js/a.js  →  ~/maps/a.js.map
    static func resolve(_ reference: String, against url: String) -> String {
        if reference.hasPrefix("~/") || reference.utf8.prefix(32).contains(UInt8(ascii: ":")) { return reference }
        var root = url.hasPrefix("~/") ? "~/" : ""
        var path = Array(url.utf8.dropFirst(root.utf8.count))
        if let colon = path.prefix(32).firstIndex(of: UInt8(ascii: ":")), path[colon...].starts(with: "://".utf8) {
            let end = path[(colon + 3)...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            root = String(decoding: path[..<end], as: UTF8.self) + "/"
            path = Array(path[end...])
        }
        let isAbsolute = reference.hasPrefix("/")
        var parts = isAbsolute ? [] : path.split(separator: UInt8(ascii: "/")).dropLast().map(Array.init)
        for part in reference.utf8.split(separator: UInt8(ascii: "/")).map(Array.init) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else if !part.elementsEqual(".".utf8) { parts.append(part) }
        }
        return root + String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
    }
}
