// SPDX-License-Identifier: Apache-2.0

/// The entries of many documents for an index that is being built: first they are read, then added in the order of their keys.
///
/// Entries in order touch each page of the table once, while those of 1,000 documents in their own order touch nearly as many pages:
///
///     read      documents 1–50, 51–100, … 99,951–100,000     between other commits; each 400 entries are sorted
///     add       the smallest entries of all, …               likewise, merged
///     correct   documents that were changed meanwhile: they get the entries that they have now
///
/// It is in memory only. After a failure or a restart the same documents are read once more.
struct IndexRun {
    /// The bytes of keys after which reading ends.
    private static let bytesAtMost = 8 << 20
    private static let documentsAtMost: Int64 = 100_000

    let index: StoredIndex
    /// The number of the last document that was read.
    private(set) var readThrough: Int64
    private var entries = SortedPieces()
    private var bytes = 0
    /// The documents that were changed after they were read; their entries here may be out of date.
    private var changed: Set<Int64> = []

    init(_ index: StoredIndex) {
        (self.index, readThrough) = (index, index.built)
    }

    /// Whether more documents are to be read.
    var isReading: Bool {
        readThrough < index.until && bytes < Self.bytesAtMost && readThrough - index.built < Self.documentsAtMost
    }

    mutating func read(_ new: Set<IndexEntry>, of number: Int64) {
        for entry in new {
            entries.append(entry, number)
            bytes += entry.key.count
        }
    }

    mutating func read(through number: Int64) { readThrough = number }

    /// Notes that a document is changed by a commit.
    mutating func change(_ number: Int64) {
        if number > index.built, number <= readThrough { changed.insert(number) }
    }

    /// Takes the next entries to add; none when all are added, or those of this step are out of date.
    mutating func next(_ count: Int) -> [(entry: IndexEntry, number: Int64)] {
        entries.next(count).filter { !changed.contains($0.number) }
    }

    var isAdded: Bool { entries.isEmpty }

    /// Takes a document whose entries must be corrected; nil when all are.
    mutating func nextChanged() -> Int64? { changed.popFirst() }
}
