// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Checks of paths and IDs that the app gives. Their errors say what is wrong.
enum PathCheck {
    static func document(_ text: String) throws(DocumentError) -> DocumentPath {
        let path = try path(text)
        if !path.isDocument { throw .invalid("This is the path of a collection, not of a document: \(text)") }
        return path
    }

    static func collection(_ text: String) throws(DocumentError) -> DocumentPath {
        let path = try path(text)
        if path.isDocument { throw .invalid("This is the path of a document, not of a collection: \(text)") }
        return path
    }

    @discardableResult
    static func id(_ text: String) throws(DocumentError) -> PathSegment {
        guard let segment = PathSegment(text) else { throw .invalid("An ID of a path \(fault(of: text)): \(text.prefix(shownCharacters))") }
        return segment
    }

    /// Reads the path of a field as Firestore's clients do. Names that are no identifiers need no backquotes, apart from those with one of
    /// `~*/[]` or a dot.
    ///
    ///     first-name.0   →   `first-name`.`0`
    static func field(_ text: String) -> FieldPath? {
        if let path = FieldPath(text) { return path }
        if text.utf8.contains(where: { "~*/[]`".utf8.contains($0) }) { return nil }
        return FieldPath(text.split(separator: ".", omittingEmptySubsequences: false).map { ExactName(String($0)) })
    }

    private static func path(_ text: String) throws(DocumentError) -> DocumentPath {
        if let path = DocumentPath(text) { return path }
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) { try id(String(Substring(part))) }
        throw .invalid("A path has more than \(DocumentPath.maximumBytes) bytes or \(DocumentPath.maximumDepth) collections.")
    }

    private static let shownCharacters = 100

    /// The reason why an ID is refused.
    private static func fault(of id: String) -> String {
        if id.isEmpty { return "is empty" }
        if id.utf8.contains(UInt8(ascii: "/")) { return "contains a slash" }
        if id.utf8.contains(0) { return "contains NUL" }
        if id.utf8.count > PathSegment.maximumBytes { return "has more than \(PathSegment.maximumBytes) bytes" }
        return "is reserved, as are `.`, `..` and `__x__`"
    }
}
