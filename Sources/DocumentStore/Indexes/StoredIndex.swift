// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// An index of an app's documents.
package struct StoredIndex: Sendable {
    let number: Int64
    package let shape: IndexShape
    /// The number of the last document that was in the table when the index was made.
    let until: Int64
    /// The number of the last document up to which there are entries. Later documents get theirs when they are written.
    var built: Int64

    /// Whether queries may use it.
    package var isReady: Bool { built >= until }
    /// The part of the documents that have entries, from 0 to 1.
    package var progress: Double { isReady ? 1 : Double(built) / Double(until) }

    /// The first bytes of the keys of a collection's documents; of all documents for a group.
    ///
    ///     index 7, collection 12     00 00 00 07  00 00 00 00 00 00 00 0C
    func prefix(_ collection: Int64) -> [UInt8] {
        let own = Self.bytes(number, count: 4)
        return shape.scope == .group ? own : own + Self.bytes(collection, count: 8)
    }

    /// The bytes that all keys of an index begin with, and the first bytes behind them.
    static func range(of number: Int64) -> (first: [UInt8], end: [UInt8]) { (bytes(number, count: 4), bytes(number + 1, count: 4)) }

    private static func bytes(_ number: Int64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    }
}

/// An entry of an index.
struct IndexEntry: Hashable {
    let key: [UInt8]
    /// Whether another value may have the same key.
    let isCut: Bool
}

extension StoredIndex {
    func entries(of document: StoredDocument?, in collection: Int64) -> Set<IndexEntry> {
        guard let document else { return [] }
        let prefix = prefix(collection)
        return Set(shape.keys(of: document).map { IndexEntry(key: prefix + $0.bytes, isCut: $0.isCut) })
    }
}
