// SPDX-License-Identifier: Apache-2.0

/// An ID of a collection or document within a path.
///
/// IDs `__id7__`, which Datastore gives, come before all others and are ordered by their number.
package struct PathSegment: Hashable, Comparable, Sendable {
    package static let maximumBytes = 1_500

    package let text: ExactName
    /// The number of an ID such as `__id7__`.
    package let number: Int64?

    /// Returns nil for an ID that Firestore refuses: empty, too long, `.`, `..`, with a slash, or reserved (`__x__`).
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        self.init(bound: text)
    }

    /// An ID in a condition or cursor of a query, which may contain NUL. No document has such a name; clients bound ranges with it.
    ///
    ///     __name__ < users\0   →   all documents of `users` and below them, and no others behind them
    package init?(bound text: String) {
        guard (1...PathSegment.maximumBytes).contains(text.utf8.count), !text.utf8.contains(UInt8(ascii: "/")) else { return nil }
        // Other IDs are neither numbers nor reserved.
        let isPlain = text.utf8.first != UInt8(ascii: "_") && text.utf8.first != UInt8(ascii: ".")
        let number = isPlain ? nil : PathSegment.number(text)
        if !isPlain, number == nil, PathSegment.isReserved(text) { return nil }
        (self.text, self.number) = (ExactName(text), number)
    }

    private static func isReserved(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let underscores: [UInt8] = [UInt8(ascii: "_"), UInt8(ascii: "_")]
        if bytes.count >= 4, bytes.starts(with: underscores), bytes.suffix(2).elementsEqual(underscores) { return true }
        return bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8)
    }

    /// Parses `__id7__`. Other spellings of a number, as `__id07__`, are no such ID, and neither is 0.
    private static func number(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count > 6, bytes.starts(with: "__id".utf8), bytes.suffix(2).elementsEqual("__".utf8) else { return nil }
        let digits = String(decoding: bytes[4..<(bytes.count - 2)], as: UTF8.self)
        guard let number = Int64(digits), number != 0, String(number).utf8.elementsEqual(digits.utf8) else { return nil }
        return number
    }

    package static func < (a: PathSegment, b: PathSegment) -> Bool {
        switch (a.number, b.number) {
        case (let a?, let b?): a < b
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): a.text < b.text
        }
    }
}

/// The path of a collection (an odd number of segments) or of a document (an even number).
///
///     users/u1/orders      a collection
///     users/u1/orders/o7   a document
package struct DocumentPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let maximumBytes = 6_144
    /// Collections within collections.
    package static let maximumDepth = 100

    package let segments: [PathSegment]

    /// Parses `users/u1`. Returns nil for an empty or too long path, and for IDs that are refused.
    package init?(_ text: String) { self.init(text) { PathSegment($0) } }

    /// Parses a name in a condition or cursor of a query, whose IDs may contain NUL.
    package init?(bound text: String) { self.init(text) { PathSegment(bound: $0) } }

    /// Returns nil for no IDs, for IDs that are refused, and if the path is too long.
    package init?(ids: some Sequence<String>) {
        var (segments, bytes) = ([PathSegment](), -1)
        for id in ids {
            guard let segment = PathSegment(id) else { return nil }
            segments.append(segment)
            bytes += id.utf8.count + 1
        }
        guard bytes <= DocumentPath.maximumBytes else { return nil }
        self.init(segments)
    }

    private init?(_ text: String, segment: (String) -> PathSegment?) {
        guard text.utf8.count <= DocumentPath.maximumBytes else { return nil }
        var segments: [PathSegment] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = segment(String(Substring(part))) else { return nil }
            segments.append(segment)
        }
        self.init(segments)
    }

    package init?(_ segments: [PathSegment]) {
        guard !segments.isEmpty, (segments.count + 1) / 2 <= DocumentPath.maximumDepth else { return nil }
        self.segments = segments
    }

    package var isDocument: Bool { segments.count.isMultiple(of: 2) }
    package var id: PathSegment { segments[segments.count - 1] }
    /// The collection of a document, or the document of a collection; nil for a collection at the top.
    package var parent: DocumentPath? { DocumentPath(Array(segments.dropLast())) }
    package var description: String { segments.map(\.text.text).joined(separator: "/") }

    package func starts(with other: DocumentPath) -> Bool { segments.starts(with: other.segments) }

    package static func < (a: DocumentPath, b: DocumentPath) -> Bool { a.segments.lexicographicallyPrecedes(b.segments) }
}
