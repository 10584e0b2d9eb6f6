// SPDX-License-Identifier: Apache-2.0

import Platform
package import SignalboxDocumentModel

/// Documents that belong to a person, for erasure and export.
///
///     users/{uid}/**                    users/ann, users/ann/orders/o1
///     rooms/{room}/members/{uid}        rooms/r1/members/ann
///     field owner of orders             orders/o1 with {owner: "ann"}
package enum PersonPattern: Hashable, Sendable {
    case path(PersonPath)
    case field(PersonField)

    /// Whether a document is the person's.
    package func matches(_ document: StoredDocument, of person: String) -> Bool {
        switch self {
        case .path: covers(document.path, of: person)
        case .field(let field): field.matches(document, of: person)
        }
    }

    /// Whether it tells a person's documents by their paths, whatever they contain.
    package var isOfPath: Bool {
        switch self {
        case .path: true
        case .field: false
        }
    }

    /// Whether a document at a path is the person's, whatever it contains.
    fileprivate func covers(_ document: DocumentPath, of person: String) -> Bool {
        guard case .path(let path) = self, let id = PathSegment(person) else { return false }
        return path.matches(document, id)
    }

    /// Returns the ID of the person whose document it is; nil for one of nobody.
    package func person(of document: StoredDocument) -> String? {
        switch self {
        case .path(let path): document.path.segments.first { path.matches(document.path, $0) }?.text.text
        case .field(let field): field.person(of: document)
        }
    }
}

extension [PersonPattern] {
    /// Whether a document at a path is one of some persons', whatever it contains.
    package func cover(_ path: String, ofOneOf persons: [String]) -> Bool {
        guard let path = DocumentPath(path) else { return false }
        return contains { pattern in persons.contains { pattern.covers(path, of: $0) } }
    }
}

/// The paths of a person's documents.
///
/// Collections are named, documents are named or any; one of them has the user ID as its ID.
package struct PersonPath: Hashable, Sendable, CustomStringConvertible {
    package enum Part: Hashable, Sendable {
        case id(PathSegment)
        case any(String)
        case person
    }

    package static let maximumBytes = 1_500
    static let personName = "uid"

    let parts: [Part]
    /// Whether the documents below those of the path belong to it, too.
    let isDeep: Bool

    /// Parses `rooms/{room}/members/{uid}/**`.
    package init?(_ text: String) {
        guard text.utf8.count <= PersonPath.maximumBytes else { return nil }
        var names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        isDeep = names.last?.hasSameBytes(as: "**") ?? false
        if isDeep { names.removeLast() }
        guard !names.isEmpty, names.count.isMultiple(of: 2), names.count / 2 <= DocumentPath.maximumDepth else { return nil }
        var parts: [Part] = []
        for (place, name) in names.enumerated() {
            guard let part = PersonPath.part(name, isDocument: place % 2 == 1) else { return nil }
            parts.append(part)
        }
        guard parts.count(where: { $0 == .person }) == 1 else { return nil }
        self.parts = parts
    }

    private static func part(_ name: String, isDocument: Bool) -> Part? {
        guard name.utf8.first == UInt8(ascii: "{") else { return PathSegment(name).map(Part.id) }
        guard isDocument, name.utf8.last == UInt8(ascii: "}") else { return nil }
        let inner = String(Substring(name.utf8.dropFirst().dropLast()))
        guard let path = FieldPath(inner), path.names.count == 1, !inner.utf8.contains(UInt8(ascii: "`")) else { return nil }
        return inner.hasSameBytes(as: personName) ? .person : .any(inner)
    }

    /// Whether an ID looks like a wildcard and is none, as in `users/{uid}/**/notes` or `rooms/*/members/{uid}`, which match no documents.
    package var hasWildcardAsID: Bool {
        parts.contains { part in
            guard case .id(let id) = part else { return false }
            return id.text.bytes.contains { "*{}".utf8.contains($0) }
        }
    }

    package var description: String {
        let names = parts.map { part in
            switch part {
            case .id(let id): id.text.text
            case .any(let name): "{\(name)}"
            case .person: "{\(PersonPath.personName)}"
            }
        }
        return (names + (isDeep ? ["**"] : [])).joined(separator: "/")
    }

    func matches(_ path: DocumentPath, _ person: PathSegment) -> Bool {
        guard let collection = path.parent else { return false }
        switch reach(in: collection, of: person) {
        case .none: return false
        case .one(let id): return id == path.id
        case .all: return true
        }
    }

    /// The documents of a collection that a pattern covers.
    enum Reach: Equatable {
        case none, all
        case one(PathSegment)
    }

    func reach(in collection: DocumentPath, of person: PathSegment) -> Reach {
        let above = collection.segments
        guard above.count + 1 == parts.count || isDeep && above.count >= parts.count else { return .none }
        for (part, segment) in zip(parts, above) where !PersonPath.holds(part, segment, person) { return .none }
        guard above.count + 1 == parts.count else { return .all }
        return PersonPath.segment(parts[parts.count - 1], person).map(Reach.one) ?? .all
    }

    private static func holds(_ part: Part, _ segment: PathSegment, _ person: PathSegment) -> Bool {
        self.segment(part, person).map { $0 == segment } ?? true
    }

    private static func segment(_ part: Part, _ person: PathSegment) -> PathSegment? {
        switch part {
        case .id(let id): id
        case .any: nil
        case .person: person
        }
    }

    /// The ranges of collections that may have documents of the path.
    ///
    ///     users/{uid}/**                users; all below users/ann/
    ///     rooms/{room}/members/{uid}    the collections `members` below rooms/
    func ranges(of person: PathSegment) -> [CollectionRange] {
        let known = parts.map { PersonPath.segment($0, person) }.prefix { $0 != nil }.compactMap(\.self)
        let text = known.map(\.text.text).joined(separator: "/")
        if known.count == parts.count {
            let collection = known.dropLast().map(\.text.text).joined(separator: "/")
            return [.only(collection)] + (isDeep ? [.below(text, nil)] : [])
        }
        if known.count == parts.count - 1 { return [.only(text)] + (isDeep ? [.below(text, nil)] : []) }
        let group = isDeep ? nil : PersonPath.segment(parts[parts.count - 2], person)
        return [.below(text, group)]
    }
}

/// A field that has the user ID of the person whom a document belongs to.
package struct PersonField: Hashable, Sendable {
    /// The path of the collection; of a group its ID.
    package let collection: DocumentPath
    /// Whether all collections with the ID are meant.
    package let isGroup: Bool
    package let field: FieldPath
    /// The fields that an anonymisation removes, so that the document can stay. Nil deletes it.
    package let privateFields: [FieldPath]?

    /// Returns nil if the path is not that of a collection, or for a group no ID.
    package init?(_ collection: DocumentPath, isGroup: Bool, _ field: FieldPath, privateFields: [FieldPath]? = nil) {
        guard !collection.isDocument, !isGroup || collection.segments.count == 1, !field.isName else { return nil }
        (self.collection, self.isGroup, self.field, self.privateFields) = (collection, isGroup, field, privateFields)
    }

    func matches(_ document: StoredDocument, of person: String) -> Bool { covers(document) && document.fields[field] == .text(ExactName(person)) }

    func person(of document: StoredDocument) -> String? {
        guard covers(document), case .text(let name) = document.fields[field] else { return nil }
        return name.text
    }

    private func covers(_ document: StoredDocument) -> Bool {
        document.path.parent.map { isGroup ? $0.id == collection.id : $0 == collection } ?? false
    }

    var ranges: [CollectionRange] { isGroup ? [.below("", collection.id)] : [.only(collection.description)] }
}

/// A range of an app's collections by their paths.
struct CollectionRange: Hashable, Sendable {
    let first: String
    /// The first path behind the range; nil if there is none.
    let end: String?
    let group: PathSegment?

    static func only(_ path: String) -> Self { Self(first: path, end: path + "\0", group: nil) }

    /// The collections whose paths begin with a path and a slash; all for the empty path.
    static func below(_ path: String, _ group: PathSegment?) -> Self {
        // A slash is the byte before 0.
        path.isEmpty ? Self(first: "", end: nil, group: group) : Self(first: path + "/", end: path + "0", group: group)
    }
}
