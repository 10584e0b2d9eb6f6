// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A position in the log of changes: behind a change, or behind all changes of a commit.
///
///     1795428000000001-3    behind the fourth change of the commit
///     1795428000000001      behind the commit
package struct ChangePlace: Hashable, Sendable, CustomStringConvertible {
    package let stamp: Int64
    let n: Int64

    /// Before all changes.
    package static let start = ChangePlace(stamp: 0, n: 0)

    init(stamp: Int64, n: Int64) {
        (self.stamp, self.n) = (stamp, n)
    }

    /// Parses a position. Returns nil for anything else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard let stamp = ChangePlace.number(parts[0]), DocumentTime(microseconds: stamp) != nil else { return nil }
        guard let n = parts.count == 1 ? .max : ChangePlace.number(parts[1]) else { return nil }
        self.init(stamp: stamp, n: n)
    }

    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    package var description: String { n == .max ? String(stamp) : "\(stamp)-\(n)" }
}

/// A change of a document as the log tells it.
package struct LoggedChange: Sendable {
    package let place: ChangePlace
    package let kind: ChangeKind
    package let path: DocumentPath
    package let before: StoredDocument?
    /// Nil if the document was deleted.
    package let after: StoredDocument?
    /// The number of runs of functions that led to it, one by the other.
    package let depth: Int
}

/// A part of the log of changes.
package struct ChangePage: Sendable {
    package let changes: [LoggedChange]
    /// The position behind the page, also if it has no changes.
    package let next: ChangePlace
    /// Whether the log had no more at that time.
    package let isCurrent: Bool
    /// The stamp through which the age or the size of the log had removed changes behind the asked position; nil if it had removed none.
    package var removedThrough: Int64?
}

/// The collections whose changes are wanted.
package enum ChangeScope: Hashable, Sendable {
    case all
    case collection(DocumentPath)
    case group(PathSegment)

    func covers(_ collection: DocumentPath) -> Bool {
        switch self {
        case .all: true
        case .collection(let path): path == collection
        case .group(let id): collection.id == id
        }
    }
}
