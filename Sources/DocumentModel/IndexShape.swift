// SPDX-License-Identifier: Apache-2.0

/// The order of an index: fields of the documents of a collection, or of all collections with an ID.
///
///     users: city ascending, age descending
///     users/ann {city: "Rome", age: 41}     key  "Rome" | inverted 41 | inverted ann
///     users/bob {city: "Rome"}              no key: the document has no age
///     tags contains                         a key for each different element
package struct IndexShape: Hashable, Sendable {
    package enum Scope: String, Sendable {
        case collection
        case group
    }

    package enum Kind: String, Sendable {
        case ascending
        case descending
        case contains
    }

    package struct Field: Hashable, Sendable {
        package let path: FieldPath
        package let kind: Kind

        package init(_ path: FieldPath, _ kind: Kind = .ascending) {
            (self.path, self.kind) = (path, kind)
        }
    }

    package let scope: Scope
    package let collection: PathSegment
    package let fields: [Field]

    package init(_ scope: Scope, _ collection: PathSegment, _ fields: [Field]) {
        (self.scope, self.collection, self.fields) = (scope, collection, fields)
    }

    /// Whether names are in descending order among equal values. They follow the last field.
    var isNameDescending: Bool { fields.last?.kind == .descending }

    /// The keys of a document, without a prefix for the collection. Empty if the document lacks a field.
    package func keys(of document: some QueriedDocument) -> [OrderedKey] {
        var keys = [OrderedKey()]
        for field in fields {
            guard let value = document.value(at: field.path) else { return [] }
            if field.kind == .contains {
                keys = IndexShape.append(each: value.elements, to: keys)
            } else {
                for index in keys.indices { keys[index].append(value, descending: field.kind == .descending) }
            }
        }
        for index in keys.indices { append(name: document.path, to: &keys[index]) }
        return keys
    }

    /// Appends the name, which orders documents of equal values: the ID within a collection, and the path within a group.
    func append(name path: DocumentPath, to key: inout OrderedKey) {
        let name = scope == .collection ? DocumentPath([path.id]) : path
        if let name { key.append(name, descending: isNameDescending) }
    }

    private static func append(each elements: [DocumentValue], to keys: [OrderedKey]) -> [OrderedKey] {
        var different: Set<[UInt8]> = []
        return keys.flatMap { key in
            elements.compactMap { element in
                var new = key
                new.append(element)
                return different.insert(new.bytes).inserted ? new : nil
            }
        }
    }
}
