// SPDX-License-Identifier: Apache-2.0

import Platform

/// A source file's path without the parts that differ between machines and builds.
///
///     /home/ana/shop/cart/views.py            →  cart/views
///     https://cdn.example/js/main.3f2a1c.js   →  js/main
///     app/models/cart.rb                      →  app/models/cart
///     /opt/till/resources/app.asar/dist/a.js  →  dist/a
///     https://news.example/2026/a-77.html     →  page
enum FilePath {
    /// The number of folders to keep. An absolute path begins with folders of the machine.
    private static let foldersOfAbsolute = 1
    private static let foldersOfRelative = 3

    static func ending(of path: String) -> Substring {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")), path.utf8[dot...].count <= 8 else { return "" }
        return path[path.utf8.index(after: dot)...]
    }

    static func name(of path: String) -> [UInt8] {
        var name: [UInt8] = []
        write(path, to: &name)
        return name
    }

    static func write(_ path: String, to out: inout [UInt8]) {
        var bytes = Array(path.utf8)[...]
        if bytes.begins(with: blob) { bytes = bytes.dropFirst(blob.count) }
        let isURL = dropScheme(&bytes)
        if isURL { bytes = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") } }
        if isURL, isPage(bytes, path) { return out += page }
        if let archive = endOfArchive(bytes) { bytes = bytes[archive...] }
        let isAbsolute = !isURL && (bytes.first == UInt8(ascii: "/") || bytes.dropFirst().first == UInt8(ascii: ":"))
        let parts = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.filter { !isOfBuild($0) }
        let start = out.count
        for folder in parts.dropLast().suffix(isAbsolute ? foldersOfAbsolute : foldersOfRelative) {
            if out.count > start { out.append(UInt8(ascii: "/")) }
            out += folder
        }
        guard let name = parts.last else { return }
        if out.count > start { out.append(UInt8(ascii: "/")) }
        writeName(name, to: &out)
    }

    /// Removes `https://host:port` or a bundler's scheme, as in `webpack:///./src/cart.js`. Returns whether there was one.
    private static func dropScheme(_ path: inout ArraySlice<UInt8>) -> Bool {
        guard let colon = path.prefix(32).firstIndex(of: UInt8(ascii: ":")), path[colon...].begins(with: behindScheme) else { return false }
        path = path[(colon + behindScheme.count)...].drop { $0 != UInt8(ascii: "/") }
        return true
    }

    /// Whether a URL of the web is that of a page. The scripts inside it are the same on other pages.
    private static func isPage(_ rest: ArraySlice<UInt8>, _ path: String) -> Bool {
        guard path.utf8.starts(with: web) else { return false }
        let name = rest.suffix(from: rest.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? rest.startIndex)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return true }
        return pageEndings.contains { name[(dot + 1)...].elementsEqual($0) }
    }

    /// Returns the place behind the archive with the files of an Electron app, whose folder differs between installations.
    private static func endOfArchive(_ path: ArraySlice<UInt8>) -> Int? {
        path.indices.last { path[$0] == archive[0] && path[$0...].begins(with: archive) }.map { $0 + archive.count }
    }

    /// Whether a folder belongs to one build or machine: `.`, a version, a hash or a date.
    private static func isOfBuild(_ part: ArraySlice<UInt8>) -> Bool {
        if part.allSatisfy({ $0 == UInt8(ascii: ".") }) { return true }
        let rest = part.first == UInt8(ascii: "v") ? part.dropFirst() : part
        if rest.first?.isDigit == true, rest.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }) { return true }
        return isHash(part) || isUUID(part)
    }

    /// Writes the file's name in lower case without its ending and a bundler's content hash.
    private static func writeName(_ name: ArraySlice<UInt8>, to out: inout [UInt8]) {
        var rest = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        // The same app is `index.android.bundle` and `main.jsbundle`.
        if name.suffix(bundle.count).elementsEqual(bundle) { rest = bundle[...] }
        if rest.isEmpty { rest = name }
        if isUUID(rest) { return }
        let start = out.count
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
            rest = rest[part.endIndex...].dropFirst()
            guard !part.isEmpty, !isHash(part) else { continue }
            if out.count > start { out.append(UInt8(ascii: ".")) }
            for byte in part { out.append(byte.lowercased) }
        }
    }

    /// Whether a part of a name is a content hash: `3f2a1c`, `BkQ3x7Za`.
    private static func isHash(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count >= 6 else { return false }
        let digits = part.count(where: \.isDigit)
        if part.allSatisfy(\.isHexDigit) { return digits > 0 }
        guard part.count == 8 || part.count >= 16, part.allSatisfy(\.isWord) else { return false }
        return digits > 0 && part.contains { $0.isLetter && $0 < 0x60 } && part.contains { $0.isLetter && $0 >= 0x60 }
    }

    private static func isUUID(_ name: ArraySlice<UInt8>) -> Bool {
        name.count == 36 && name.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: "-") }
    }

    private static let blob = Array("blob:".utf8)
    private static let web = Array("http".utf8)
    private static let page = Array("page".utf8)
    private static let pageEndings = ["html", "htm", "php", "aspx", "jsp"].map { Array($0.utf8) }
    private static let archive = Array(".asar/".utf8)
    private static let bundle = Array("bundle".utf8)
    private static let behindScheme = Array("://".utf8)
}
