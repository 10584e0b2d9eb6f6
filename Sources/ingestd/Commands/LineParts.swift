// SPDX-License-Identifier: Apache-2.0

import Platform

/// The lines of a file as bodies of some megabytes.
struct LineParts {
    struct Part {
        var body: [UInt8]
        /// The number of its first line, from 1.
        var first: Int
        /// The number of the line behind the last one.
        var end: Int
    }

    private static let readBytes = 1 << 20

    private let file: File
    private let path: String
    private let size: Int
    private let partBytes: Int
    private var offset = 0
    private var rest: [UInt8] = []
    /// The first bytes of the rest that are known to have no line end, which are not searched again.
    private var searched = 0
    private var line = 1
    /// The number of lines that were read; at the end, of the file. The last one may lack its end.
    private(set) var lines = 0
    private let from: Int

    init(_ path: String, partBytes: Int, from: Int) throws {
        do throws(FileError) {
            file = try File(path, .read)
            size = try file.size
        } catch {
            throw Failure("Could not read \(path): \(error).", hint: "Name a file with an export.")
        }
        (self.path, self.partBytes, self.from) = (path, partBytes, from)
    }

    /// The next body, of whole lines; nil at the end of the file.
    mutating func next() throws -> Part? {
        while true {
            var end = rest.count >= partBytes ? endOfPart() : nil
            if end == nil, try readMore() { continue }
            if end == nil { end = rest.isEmpty ? nil : rest.count - 1 }
            guard let end else { return nil }
            var body = Array(rest[...end])
            rest.removeFirst(end + 1)
            searched = 0
            let first = line
            let ends = body.count { $0 == 0x0a }
            lines = first - 1 + ends + (body.last == 0x0a ? 0 : 1)
            line += max(1, ends)
            guard lines >= from else { continue }
            if first < from {
                body = Array(body.split(separator: 0x0a, omittingEmptySubsequences: false)[(from - first)...].joined(separator: [0x0a]))
            }
            return Part(body: body, first: max(first, from), end: line)
        }
    }

    /// The last line end within a part, or else the first one behind it.
    private mutating func endOfPart() -> Int? {
        if searched < partBytes {
            if let end = rest[searched..<partBytes].lastIndex(of: 0x0a) { return end }
            searched = partBytes
        }
        let end = rest[searched...].firstIndex(of: 0x0a)
        if end == nil { searched = rest.count }
        return end
    }

    /// Reads some bytes. False at the end of the file.
    private mutating func readMore() throws -> Bool {
        guard offset < size else { return false }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(at: offset, count: LineParts.readBytes) } catch {
            throw Failure("Could not read \(path): \(error).", hint: nil)
        }
        offset = bytes.isEmpty ? size : offset + bytes.count
        rest += bytes
        guard rest.count <= 2 * DocumentTransfers.importBytes else { throw Failure("\(path) has a line of more than 16 MiB.", hint: nil) }
        return true
    }
}
