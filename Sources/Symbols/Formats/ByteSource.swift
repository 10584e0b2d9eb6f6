// SPDX-License-Identifier: Apache-2.0

import Platform

/// Access to a symbol file's bytes; only the requested part is in memory.
struct ByteSource: Sendable {
    private enum Kind {
        case file(File)
        case memory([UInt8])
    }

    let count: Int
    private let kind: Kind

    init(path: String) throws(SymbolFileError) {
        do throws(FileError) {
            let file = try File(path, .read)
            count = try file.size
            kind = .file(file)
        } catch {
            throw .unreadable
        }
    }

    init(bytes: [UInt8]) {
        count = bytes.count
        kind = .memory(bytes)
    }

    /// Returns up to `length` bytes; fewer only at the end.
    func read(at offset: Int, count length: Int) throws(SymbolFileError) -> [UInt8] {
        guard (0...count).contains(offset), length >= 0 else { return [] }
        let length = min(length, count - offset)
        switch kind {
        case .memory(let bytes): return Array(bytes[offset..<offset + length])
        case .file(let file):
            do throws(FileError) { return try file.read(at: offset, count: length) } catch { throw .unreadable }
        }
    }
}
