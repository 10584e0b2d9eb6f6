// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel
import Synchronization

/// An index of an app's documents.
package struct StoredIndex: Sendable {
    /// Why there is an index.
    package enum Origin: String, Sendable {
        /// An admin declared it.
        case declared
        /// The writer finds expired documents by it.
        case expiry
        /// Queries examined too many documents without it.
        case learned
    }

    let number: Int64
    package let shape: IndexShape
    package let origin: Origin
    /// Why it was learned.
    package let reason: String
    /// When a query last read it, to the hour; when it was made, if none did.
    package let used: Timestamp
    package let entries: Int
    package let bytes: Int64
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

/// A change of the number of an index's entries, and of their bytes.
struct IndexGrowth {
    /// The bytes of an entry beside its key.
    private static let overhead = 12

    let index: Int64
    private(set) var entries = 0
    private(set) var bytes = 0

    init(index: Int64) { self.index = index }

    mutating func count(_ entry: IndexEntry, _ sign: Int) {
        entries += sign
        bytes += sign * (entry.key.count + IndexGrowth.overhead)
    }

    mutating func add(_ other: IndexGrowth) { (entries, bytes) = (entries + other.entries, bytes + other.bytes) }
}

extension StoredIndex {
    func entries(of document: StoredDocument?, in collection: Int64) -> Set<IndexEntry> {
        guard let document else { return [] }
        let prefix = prefix(collection)
        return Set(shape.keys(of: document).map { IndexEntry(key: prefix + $0.bytes, isCut: $0.isCut) })
    }
}

/// The fields of indexes by number, which is never given twice.
final class IndexFields: Sendable {
    private static let most = 4_096
    private let known = Mutex<[Int64: [IndexShape.Field]]>([:])

    subscript(number: Int64) -> [IndexShape.Field]? {
        get { known.withLock { $0[number] } }
        set {
            known.withLock { known in
                if known.count >= IndexFields.most { known.removeAll() }
                known[number] = newValue
            }
        }
    }
}
