// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import SQLite

/// The scan of one page of a listing. It seeks behind each folder, so a page costs what it shows and not what lies below.
///
///     prefix a/, delimiter /      rows read: a/1, a/x/1, seek a/x0, a/y/1, seek a/y0, end
struct FileListingScan {
    /// The comparisons with the characters of a pattern after which a page ends.
    private static let mostComparisons = 2_000_000
    /// The bytes of names and details after which a page ends. A thousand files may have 13 MiB.
    private static let mostBytes = 1 << 20

    private let file: FileDB
    private let app: AppID
    private let query: FileListingQuery
    private let prefix: [UInt8]
    private let delimiter: [UInt8]
    private var page = FileListing()
    private var count = 0
    private var comparisons = 0
    private var bytes = 0
    /// The first path that may come next.
    private var start: [UInt8]
    /// The first path that is too late; empty if none is.
    private let stop: [UInt8]
    /// Whether the scan is at its end, or the page is full.
    private var isDone = false
    private var last: [UInt8] = []

    init(_ query: FileListingQuery, app: AppID, in file: FileDB) {
        (self.file, self.app, self.query) = (file, app, query)
        (prefix, delimiter) = (Array(query.prefix.utf8), Array((query.delimiter ?? "").utf8))
        let ends = [FileListingScan.end(of: prefix), Array((query.end ?? "").utf8)].filter { !$0.isEmpty }
        stop = ends.min { $0.lexicographicallyPrecedes($1) } ?? []
        start = prefix
        begin(at: Array((query.first ?? "").utf8))
        guard let after = query.after.map({ Array($0.utf8) }) else { return }
        begin(at: folder(of: after) == after ? FileListingScan.end(of: after) : after + [0])
    }

    /// Begins at a path, unless the scan begins later.
    private mutating func begin(at path: [UInt8]) { if start.lexicographicallyPrecedes(path) { start = path } }

    mutating func run() throws -> FileListing {
        while !isDone { try readRun() }
        return page
    }

    /// Reads rows from `start` up to the next folder.
    private mutating func readRun() throws {
        let key = Value.integer(app.rawValue)
        let bound = stop.isEmpty ? "" : " AND path < ?3"
        page.steps += 1
        var isCut = false
        try file.statement("SELECT \(FileDB.objectColumns) FROM objects WHERE app = ?1 AND path >= ?2\(bound) ORDER BY path").rows(
            [key, .utf8(start)] + (stop.isEmpty ? [] : [.utf8(stop)])
        ) { row in
            page.steps += 1
            isCut = try add(row)
            return !isCut
        }
        if !isCut { isDone = true }
    }

    /// Adds a row to the page. Returns true if the scan must seek or the page is full.
    private mutating func add(_ row: Row) throws -> Bool {
        if count == query.limit || comparisons >= FileListingScan.mostComparisons || bytes >= FileListingScan.mostBytes {
            page.next = String(decoding: last, as: UTF8.self)
            isDone = true
            return true
        }
        let path = row.bytes(0)
        let folder = folder(of: path)
        last = folder ?? path
        let isShown = shows(last)
        if isShown { count += 1 }
        guard let folder else {
            if isShown { append(try FileDB.file(row, app: app), named: path) }
            return false
        }
        if isShown { append(folder) }
        start = FileListingScan.end(of: folder)
        return true
    }

    private mutating func append(_ file: StoredFile, named path: [UInt8]) {
        page.files.append(file)
        bytes += path.count + file.details.bytes
    }

    private mutating func append(_ folder: [UInt8]) {
        page.folders.append(String(decoding: folder, as: UTF8.self))
        bytes += folder.count
    }

    private mutating func shows(_ name: [UInt8]) -> Bool {
        guard let glob = query.glob else { return true }
        comparisons += name.count * glob.width
        return glob.matches(String(decoding: name, as: UTF8.self))
    }

    /// Returns the folder that a path is shown as: the path through the first delimiter behind the prefix.
    private func folder(of path: [UInt8]) -> [UInt8]? {
        guard !delimiter.isEmpty, path.starts(with: prefix) else { return nil }
        let rest = path[prefix.count...]
        guard let place = rest.indices.first(where: { rest[$0...].starts(with: delimiter) }) else { return nil }
        return Array(path[..<(place + delimiter.count)])
    }

    /// Returns the first text behind all that begin with a prefix; empty if there is none. No byte of UTF-8 is the last one.
    static func end(of prefix: [UInt8]) -> [UInt8] {
        guard let last = prefix.last else { return [] }
        return prefix.dropLast() + [last + 1]
    }
}
