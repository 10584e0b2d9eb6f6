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
/// A change costs no more than its document has fields, however many fields the targets are found by.
struct ListenIndex {
    /// Where a query looks: a collection, all collections of an ID, or anything.
    private enum Scope: Hashable {
        case collection(DocumentPath)
        case group(PathSegment)
        case all
    }

    private struct ScopeTargets {
        var byValue = FieldTargets()
        /// Those by the name of a document, which is not among its fields.
        var byName: [[UInt8]: Set<ListenEntry.ID>] = [:]
        var rest: Set<ListenEntry.ID> = []

        var isEmpty: Bool { byValue.isEmpty && byName.isEmpty && rest.isEmpty }

        mutating func update(_ places: [Place]?, _ body: (inout Set<ListenEntry.ID>) -> Void) {
            guard let places else { return body(&rest) }
            for place in places {
                guard place.isName else {
                    byValue.update(place.fields, body)
                    continue
                }
                body(&byName[place.fields.key, default: []])
                if byName[place.fields.key]?.isEmpty == true { byName[place.fields.key] = nil }
            }
        }

        func collect(_ document: ListenedDocument, into found: inout Set<ListenEntry.ID>) {
            byValue.collect(document.fields, into: &found)
            if !byName.isEmpty, let entries = byName[FieldTargets.key(.reference(DocumentReference(document.path)))] { found.formUnion(entries) }
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
            for document in [change.before, change.after] { document.map { targets.collect($0, into: &found) } }
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

    /// Where a query is found.
    private struct Place {
        let isName: Bool
        let fields: FieldTargets.Place

        init(_ field: FieldPath, isElement: Bool = false, _ value: DocumentValue) {
            isName = field.isName
            fields = FieldTargets.Place(names: field.names[...], isElement: isElement, key: FieldTargets.key(value))
        }
    }

    /// Where a query is found: one equality of each disjunct; nil if a disjunct has none.
    private static func places(of query: DocumentQuery) -> [Place]? {
        guard let filter = query.filter, let disjunctions = filter.disjunctions, !disjunctions.isEmpty else { return nil }
        var places: [Place] = []
        for conditions in disjunctions {
            // Longer keys are taken for more selective: a text rather than a flag.
            guard let best = conditions.compactMap(place).max(by: { $0.fields.key.count < $1.fields.key.count }) else { return nil }
            places.append(best)
        }
        return places
    }

    private static func place(of condition: Filter) -> Place? {
        switch condition {
        case .compare(let field, .equal, let value): Place(field, value)
        case .compare(let field, .contains, let value): Place(field, isElement: true, value)
        case .unary(let field, .isNull): Place(field, .null)
        case .unary(let field, .isNaN): Place(field, .double(.nan))
        default: nil
        }
    }
}
