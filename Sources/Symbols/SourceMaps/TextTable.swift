// SPDX-License-Identifier: Apache-2.0

import JSON

/// Texts by their number, in one array of bytes.
struct TextTable: Sendable {
    /// The limit of a text that a lookup returns.
    private static let longest = 1 << 14

    private var pool: [UInt8] = []
    private var ends: [UInt32] = []

    var count: Int { ends.count }

    var bytes: Int { pool.capacity + ends.capacity * 4 }

    /// Appends the text of a string; an empty one for any other value.
    mutating func append(_ token: JSONToken, of tape: JSONTape) {
        if token.isString, !tape.appendUnescaped(token, to: &pool) { pool.append(contentsOf: tape.lossyText(token).utf8) }
        ends.append(UInt32(pool.count))
    }

    /// Appends empty texts, or removes the last ones.
    mutating func resize(to count: Int) {
        while ends.count < count { ends.append(UInt32(pool.count)) }
        guard ends.count > count else { return }
        ends.removeSubrange(count...)
        pool.removeSubrange(Int(ends.last ?? 0)...)
    }

    mutating func reserve(bytes: Int) { pool.reserveCapacity(bytes) }

    /// Returns the text; nil if there is none or it is empty.
    subscript(index: Int) -> String? {
        let text = bytes(index).prefix(TextTable.longest)
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    func bytes(_ index: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(index) else { return [] }
        return pool[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }
}

/// The sources of a source map.
struct SourceTable: Sendable {
    private static let longestRoot = 4_096

    private var paths = TextTable()
    private(set) var contents = TextTable()
    /// The first source of each map of an index map, and the folder of its sources.
    private var roots: [(first: Int, root: String)] = []
    private var ignored: Set<Int> = []

    var count: Int { paths.count }

    var bytes: Int { paths.bytes + contents.bytes + ignored.capacity * 16 }

    /// Begins the sources of another map.
    ///
    /// The folder is not copied to each of its sources, because a long one would make a small map large.
    mutating func begin(root: String?) {
        guard let root, !root.isEmpty, root.utf8.count <= SourceTable.longestRoot else { return roots.append((count, "")) }
        roots.append((count, root.utf8.last == 0x2f ? root : root + "/"))
    }

    mutating func append(_ token: JSONToken, of tape: JSONTape) { paths.append(token, of: tape) }

    mutating func appendContent(_ token: JSONToken, of tape: JSONTape) { contents.append(token, of: tape) }

    mutating func reserveContent(bytes: Int) { contents.reserve(bytes: bytes) }

    /// Ends the sources of a map: later contents are those of later sources.
    mutating func end() { contents.resize(to: count) }

    mutating func ignore(_ source: Int) { ignored.insert(source) }

    func isIgnored(_ source: Int) -> Bool { ignored.contains(source) }

    /// Returns the path or URL of a source; nil if it has none.
    func path(_ source: Int) -> String? {
        guard let path = paths[source] else { return nil }
        let root = roots.lowerBound { $0.first <= source }
        guard root > 0, path.utf8.first != 0x2f, !SourceTable.hasScheme(path) else { return path }
        return roots[root - 1].root + path
    }

    private static func hasScheme(_ path: String) -> Bool {
        let scheme = path.utf8.prefix(16).prefix { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d }
        return !scheme.isEmpty && path.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }
}
