// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file operations of a daemon in order, recorded by the shim.
struct DiskJournal {
    /// Files are identified by inode number, which may be reused.
    enum Change {
        case create(String, file: UInt64)
        case write(Data, at: Int, file: UInt64)
        case truncate(to: Int, file: UInt64)
        /// The file's changes before this journal offset are on disk.
        case sync(file: UInt64, before: Int)
        case syncFolder(String, before: Int)
        case rename(String, to: String)
        case remove(String)
        case makeFolder(String)
    }

    struct Entry {
        let change: Change
        /// The offset in the journal and the offset after the entry.
        let place: Int
        let end: Int
    }

    private(set) var entries: [Entry] = []

    init(_ journal: Data) {
        let headBytes = 32
        var place = 0
        while place + headBytes <= journal.count {
            let head = journal[place..<place + headBytes]
            let sizes = (0..<4).map { Int(head.word(at: $0 * 4, as: UInt32.self)) }
            var rest = place + headBytes
            // A killed daemon may have recorded its last change partially.
            guard rest + sizes[1...].reduce(0, +) <= journal.count else { break }
            let pieces = sizes[1...].map { size in
                defer { rest += size }
                return journal[rest..<rest + size]
            }
            let change = DiskJournal.change(
                sizes[0], String(decoding: pieces[0], as: UTF8.self), String(decoding: pieces[1], as: UTF8.self), pieces[2],
                file: head.word(at: 16, as: UInt64.self), offset: Int(head.word(at: 24, as: Int64.self)))
            if let change { entries.append(Entry(change: change, place: place, end: rest)) }
            place = rest
        }
    }

    private static func change(_ kind: Int, _ name: String, _ other: String, _ bytes: Data, file: UInt64, offset: Int) -> Change? {
        switch kind {
        case 1: .create(name, file: file)
        case 2: .write(bytes, at: offset, file: file)
        case 3: .truncate(to: offset, file: file)
        case 4: .sync(file: file, before: offset)
        case 5: .syncFolder(name, before: offset)
        case 6: .rename(name, to: other)
        case 7: .remove(name)
        case 8: .makeFolder(name)
        default: nil
        }
    }
}

extension Data {
    fileprivate func word<Word: FixedWidthInteger>(at offset: Int, as type: Word.Type) -> Word {
        self[startIndex + offset..<startIndex + offset + MemoryLayout<Word>.size].reversed().reduce(0) { $0 << 8 | Word($1) }
    }
}
