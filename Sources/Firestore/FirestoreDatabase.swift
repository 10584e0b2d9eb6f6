// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// The database whose documents a request names: a project and `(default)`.
package struct FirestoreDatabase: Hashable, Sendable {
    private static let marker = "/documents"

    /// `projects/p/databases/(default)`.
    package let name: String
    private let root: String

    package init(project: String) {
        name = "projects/\(project)/databases/(default)"
        root = name + FirestoreDatabase.marker + "/"
    }

    /// The full name of a document.
    ///
    ///     users/u1   →   projects/p/databases/(default)/documents/users/u1
    package func name(of path: DocumentPath) -> String { root + path.description }

    func name(of reference: DocumentReference) -> String {
        reference.database.text.isEmpty
            ? name(of: reference.path) : reference.database.text + FirestoreDatabase.marker + "/" + reference.path.description
    }

    /// Parses the name of a document of this database.
    package func document(_ name: String) throws(FirestoreFault) -> DocumentPath {
        if name.utf8.starts(with: root.utf8), let path = DocumentPath(String(Substring(name.utf8.dropFirst(root.utf8.count)))), path.isDocument {
            return path
        }
        guard let found = FirestoreDatabase.split(name), found.path.isDocument else {
            throw .invalid("Document name \"\(ProtoReader.shown(name))\" is invalid.")
        }
        guard found.database.utf8.elementsEqual(self.name.utf8) else {
            throw .invalid("Document name \"\(ProtoReader.shown(name))\" is not in the database \"\(self.name)\".")
        }
        return found.path
    }

    /// Parses a reference to a document of any database.
    ///
    /// - Parameter isBound: Whether it is in a condition or cursor, where IDs may contain NUL.
    func reference(_ name: String, isBound: Bool = false) throws(FirestoreFault) -> DocumentReference {
        guard let found = FirestoreDatabase.split(name, isBound: isBound), found.path.isDocument else {
            throw .invalid("Document name \"\(ProtoReader.shown(name))\" is invalid.")
        }
        let isOwn = found.database.utf8.elementsEqual(self.name.utf8)
        return DocumentReference(found.path, database: isOwn ? "" : ExactName(found.database))
    }

    /// Splits `projects/p/databases/d/documents/a/b` into `projects/p/databases/d` and `a/b`.
    private static func split(_ name: String, isBound: Bool = false) -> (database: String, path: DocumentPath)? {
        let slash = UInt8(ascii: "/")
        let parts = name.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].elementsEqual("projects".utf8), !parts[1].isEmpty, parts[2].elementsEqual("databases".utf8),
            !parts[3].isEmpty, parts[4].elementsEqual("documents".utf8)
        else { return nil }
        let rest = String(Substring(parts[5]))
        guard let path = isBound ? DocumentPath(bound: rest) : DocumentPath(rest) else { return nil }
        return (String(Substring(name.utf8[..<parts[3].endIndex])), path)
    }
}
