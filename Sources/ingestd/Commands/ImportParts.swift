// SPDX-License-Identifier: Apache-2.0

import Accounts
import JSON
import Platform

/// A file of accounts as bodies of imports, each of some megabytes.
///
/// The first entries of a body repeat what is said about all accounts: the parameters of the hashes, or the header of an export.
struct ImportParts {
    struct Part {
        var body: [UInt8]
        /// The number to add to an entry's place in the body for its place in the file.
        var first: Int
    }

    private static let readBytes = 256 << 10

    private let file: File
    private let path: String
    private let size: Int
    private let isTable: Bool
    private let partBytes: Int
    private var header: [UInt8]
    private var headers: Int
    private var offset = 0
    private var splitter = EntrySplitter()
    private var table = FirebaseTable()
    private var pending: [[UInt8]] = []
    private var sent = 0

    init(_ path: String, header: [UInt8]?, partBytes: Int) throws {
        do throws(FileError) {
            file = try File(path, .read)
            size = try file.size
        } catch {
            throw Failure("Could not read \(path): \(error).", hint: "Name a file with accounts.")
        }
        (self.path, self.partBytes) = (path, partBytes)
        (self.header, headers) = (header ?? [], header == nil ? 0 : 1)
        isTable = path.lowercased().hasSuffix(".csv")
    }

    /// The next body; nil at the end of the file.
    mutating func next() throws -> Part? {
        var (body, count) = (header, 0)
        while body.count < partBytes {
            if pending.isEmpty, try !readMore() { break }
            guard !pending.isEmpty else { continue }
            let entry = pending.removeFirst()
            if sent == 0, count == 0, isHeader(entry) {
                header += entry + [0x0a]
                headers += 1
                body = header
                continue
            }
            body += entry + [0x0a]
            count += 1
        }
        guard count > 0 else { return nil }
        defer { sent += count }
        return Part(body: body, first: sent - headers)
    }

    private func isHeader(_ entry: [UInt8]) -> Bool {
        guard let object = try? JSONValue(entry) else { return false }
        return object["export"] != nil || object["hash"] != nil
    }

    /// Reads some entries. False at the end of the file.
    private mutating func readMore() throws -> Bool {
        guard offset < size else { return false }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(at: offset, count: ImportParts.readBytes) } catch {
            throw Failure("Could not read \(path): \(error).", hint: nil)
        }
        offset += bytes.count
        if bytes.isEmpty { offset = size }
        let isLast = offset >= size
        if isTable {
            pending = try table.add(bytes, isLast: isLast, path: path)
            return true
        }
        var found: [[UInt8]] = []
        do throws(EntrySplitter.Problem) {
            try splitter.add(bytes[...]) { found.append($0) }
            if isLast { try splitter.finish() }
        } catch {
            throw Failure("\(path) is no file of accounts: \(error).", hint: "Use `firebase auth:export`, lines of JSON, or a list.")
        }
        pending = found
        return true
    }
}

/// The table of `firebase auth:export users.csv`, which has no header, as entries in Firebase's fields.
struct FirebaseTable {
    private static let columns = ["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"]
    private static let created = 23
    private static let lastSignIn = 24
    private static let phone = 25

    private var rest: [UInt8] = []

    mutating func add(_ bytes: [UInt8], isLast: Bool, path: String) throws -> [[UInt8]] {
        rest += bytes
        guard rest.count < 8 << 20 else { throw Failure("\(path) has a line of more than 8 MiB.", hint: "Export the accounts as JSON.") }
        var rows = CSVRows(rest)
        let found = rows.all(isLast: isLast)
        rest.removeFirst(rows.used)
        return found.filter { $0.count > 1 }.map(FirebaseTable.entry)
    }

    private static func entry(_ row: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in zip(columns, row) where !value.isEmpty { json.field(name, value) }
        for (name, column) in [("createdAt", created), ("lastSignedInAt", lastSignIn), ("phoneNumber", phone)] {
            if row.count > column, !row[column].isEmpty { json.field(name, row[column]) }
        }
        json.key("providerUserInfo")
        json.beginArray()
        // Each provider has four columns, beginning with the user's ID there.
        for column in stride(from: 7, to: created, by: 4) where row.count > column && !row[column].isEmpty {
            json.beginObject()
            json.field("rawId", row[column])
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

/// The rows of a text with comma-separated values (RFC 4180), as far as it has arrived.
struct CSVRows {
    private let bytes: [UInt8]
    /// The number of bytes in complete rows.
    private(set) var used = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func all(isLast: Bool) -> [[String]] {
        var (rows, row, cell): ([[String]], [String], [UInt8]) = ([], [], [])
        var (isQuoted, wasQuote) = (false, false)
        func text(_ cell: [UInt8]) -> String { String(decoding: cell, as: UTF8.self) }
        for (place, byte) in bytes.enumerated() {
            if isQuoted, byte != UInt8(ascii: "\"") {
                cell.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                // Two quotes inside quotes are one.
                if wasQuote, !isQuoted { cell.append(byte) }
                (isQuoted, wasQuote) = (!isQuoted, isQuoted)
            case UInt8(ascii: ","):
                row.append(text(cell))
                (cell, wasQuote) = ([], false)
            case 0x0a:
                row.append(text(cell))
                rows.append(row)
                (row, cell, wasQuote, used) = ([], [], false, place + 1)
            case 0x0d: break
            default: cell.append(byte)
            }
        }
        if isLast, used < bytes.count {
            rows.append(row + [text(cell)])
            used = bytes.count
        }
        return rows
    }
}
