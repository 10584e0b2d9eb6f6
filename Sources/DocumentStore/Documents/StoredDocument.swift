// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document with the stamps of the commits that created it and last changed it.
package struct StoredDocument: Hashable, Sendable, QueriedDocument {
    package let path: DocumentPath
    package let fields: DocumentFields
    package let created: DocumentTime
    package let version: DocumentTime

    package init(_ path: DocumentPath, _ fields: DocumentFields, created: DocumentTime, version: DocumentTime) {
        (self.path, self.fields, self.created, self.version) = (path, fields, created, version)
    }

    package func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(DocumentReference(path)) : fields[field]
    }
}

/// The bytes of a document's ID in the database, which have the order of IDs.
///
///     __id7__   10 80 00 00 00 00 00 00 07
///     ann       20 61 6e 6e
enum StoredID {
    private static let (number, text): (UInt8, UInt8) = (0x10, 0x20)

    static func bytes(_ id: PathSegment) -> [UInt8] {
        guard let value = id.number else { return [text] + id.text.bytes }
        let bits = UInt64(bitPattern: value) ^ (1 << 63)
        return [number] + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }

    static func segment(_ bytes: [UInt8]) -> PathSegment? {
        if bytes.first == text { return PathSegment(String(decoding: bytes.dropFirst(), as: UTF8.self)) }
        let bits = bytes.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return PathSegment("__id\(Int64(bitPattern: bits ^ (1 << 63)))__")
    }
}
