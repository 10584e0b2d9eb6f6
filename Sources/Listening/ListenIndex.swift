// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Finds the targets whose result a change may touch, without asking the others.
///
///     document users/u1                                     by its path
///     messages where room == "a" and sent > 5               in collection messages, under room == "a"
///     messages where room in ["a", "b"]                     under room == "a" and under room == "b"
///     messages where tags contains "x"                      under tags contains "x"
///     messages where sent > 5                               with all of the collection that have no equality
///
/// A change of a document costs one lookup for each field that some target of its collection is found by.
struct ListenIndex {
    /// Where a query looks: a collection, all collections of an ID, or anything.
    private enum Scope: Hashable {
        case collection(DocumentPath)
        case group(PathSegment)
        case all
    }

    /// A field and how its value is compared.
    private struct Place: Hashable {
        let field: FieldPath
        let isElement: Bool
    }

    private struct ScopeTargets {
        var byValue: [Place: [[UInt8]: Set<ListenEntry.ID>]] = [:]
        var rest: Set<ListenEntry.ID> = []

        var isEmpty: Bool { byValue.isEmpty && rest.isEmpty }

        mutating func update(_ places: [(Place, [UInt8])]?, _ body: (inout Set<ListenEntry.ID>) -> Void) {
            guard let places else { return body(&rest) }
            for (place, key) in places {
                body(&byValue[place, default: [:]][key, default: []])
                if byValue[place]?[key]?.isEmpty == true { byValue[place]?[key] = nil }
                if byValue[place]?.isEmpty == true { byValue[place] = nil }
            }
        }
    }

    private var documents: [DocumentPath: Set<ListenEntry.ID>] = [:]
    private var scopes: [Scope: ScopeTargets] = [:]

    /// Whether a change of a document may touch a target.
    func hears(_ path: DocumentPath) -> Bool {
        documents[path] != nil || ListenIndex.scopes(of: path).contains { scopes[$0] != nil }
    }

    /// Returns all targets that a change touches, and few others.
    func candidates(_ change: DocumentChange) -> Set<ListenEntry.ID> {
        var found = documents[change.path] ?? []
        for scope in ListenIndex.scopes(of: change.path) {
            guard let targets = scopes[scope] else { continue }
            found.formUnion(targets.rest)
            for (place, byKey) in targets.byValue {
                for document in [change.before, change.after] {
                    for key in ListenIndex.keys(document?.value(at: place.field), place) {
                        if let entries = byKey[key] { found.formUnion(entries) }
                    }
                }
            }
        }
        return found
    }

    mutating func insert(_ target: ListenTarget, as entry: ListenEntry.ID) {
        update(target) { $0.insert(entry) }
    }

    mutating func remove(_ target: ListenTarget, as entry: ListenEntry.ID) {
        update(target) { $0.remove(entry) }
    }

    private mutating func update(_ target: ListenTarget, _ body: (inout Set<ListenEntry.ID>) -> Void) {
        switch target.kind {
        case .document(let path):
            body(&documents[path, default: []])
            if documents[path]?.isEmpty == true { documents[path] = nil }
        case .query(let query):
            // In place, as a copy of the targets of a large collection would take long.
            let scope = ListenIndex.scope(of: query)
            scopes[scope, default: ScopeTargets()].update(ListenIndex.places(of: query), body)
            if scopes[scope]?.isEmpty == true { scopes[scope] = nil }
        }
    }

    private static func scope(of query: DocumentQuery) -> Scope {
        guard let collection = query.collection else { return .all }
        if query.everyDepth { return .group(collection) }
        return DocumentPath((query.parent?.segments ?? []) + [collection]).map(Scope.collection) ?? .all
    }

    private static func scopes(of path: DocumentPath) -> [Scope] {
        guard path.isDocument, let collection = path.parent else { return [.all] }
        return [.collection(collection), .group(collection.id), .all]
    }

    /// Where a query is found: one equality of each disjunct; nil if a disjunct has none.
    private static func places(of query: DocumentQuery) -> [(Place, [UInt8])]? {
        guard let filter = query.filter, let disjunctions = filter.disjunctions, !disjunctions.isEmpty else { return nil }
        var places: [(Place, [UInt8])] = []
        for conditions in disjunctions {
            guard let best = conditions.compactMap(place).max(by: { rank($0) < rank($1) }) else { return nil }
            places.append(best)
        }
        return places
    }

    private static func place(of condition: Filter) -> (Place, [UInt8])? {
        switch condition {
        case .compare(let field, .equal, let value): (Place(field: field, isElement: false), key(value))
        case .compare(let field, .contains, let value): (Place(field: field, isElement: true), key(value))
        case .unary(let field, .isNull): (Place(field: field, isElement: false), key(.null))
        case .unary(let field, .isNaN): (Place(field: field, isElement: false), key(.double(.nan)))
        default: nil
        }
    }

    /// Longer keys are taken for more selective: a text rather than a flag.
    private static func rank(_ place: (Place, [UInt8])) -> Int { place.1.count }

    private static func keys(_ value: DocumentValue?, _ place: Place) -> [[UInt8]] {
        guard let value else { return [] }
        return place.isElement ? value.elements.map(key) : [key(value)]
    }

    private static func key(_ value: DocumentValue) -> [UInt8] {
        var key = OrderedKey()
        key.append(value)
        return key.bytes
    }
}
