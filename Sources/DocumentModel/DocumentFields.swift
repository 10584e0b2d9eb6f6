// SPDX-License-Identifier: Apache-2.0

/// The fields of a document or a map, sorted by the bytes of their names.
package struct DocumentFields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: ExactName
        package var value: DocumentValue

        package init(_ name: ExactName, _ value: DocumentValue) {
            (self.name, self.value) = (name, value)
        }
    }

    package private(set) var all: [Field] = []

    package init() {}

    /// Returns nil if two fields have the same name.
    package init?(_ fields: [Field]) {
        all = fields.sorted { $0.name < $1.name }
        for (a, b) in zip(all, all.dropFirst()) where a.name == b.name { return nil }
    }

    package var isEmpty: Bool { all.isEmpty }
    package var count: Int { all.count }

    /// The value of a field. Setting nil removes it.
    package subscript(name: ExactName) -> DocumentValue? {
        get {
            let index = position(of: name)
            return index < all.count && all[index].name == name ? all[index].value : nil
        }
        set {
            let index = position(of: name)
            let isKnown = index < all.count && all[index].name == name
            switch (newValue, isKnown) {
            case (let value?, true): all[index].value = value
            case (let value?, false): all.insert(Field(name, value), at: index)
            case (nil, true): all.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Returns fields with the values that a function gives them, without those for which it returns nil.
    func compactMap(_ value: (Field) -> DocumentValue?) -> DocumentFields {
        var fields = DocumentFields()
        fields.all = all.compactMap { field in value(field).map { Field(field.name, $0) } }
        return fields
    }

    /// The value at a path through maps.
    ///
    ///     {"a": {"b": 1}}["a.b"]  →  1
    package subscript(path: FieldPath) -> DocumentValue? {
        get { value(path.names[...]) }
        set { set(path.names[...], to: newValue) }
    }

    private func value(_ names: ArraySlice<ExactName>) -> DocumentValue? {
        guard let first = names.first, let value = self[first] else { return nil }
        if names.count == 1 { return value }
        guard case .map(let fields) = value else { return nil }
        return fields.value(names.dropFirst())
    }

    /// Sets or removes a value. Maps on the way are made; a value on the way that is not a map is replaced, unless something is removed.
    private mutating func set(_ names: ArraySlice<ExactName>, to value: DocumentValue?) {
        guard let first = names.first else { return }
        guard names.count > 1 else { return self[first] = value }
        var inner = DocumentFields()
        if case .map(let fields)? = self[first] {
            inner = fields
            // The map is not copied then.
            self[first] = .null
        } else if value == nil {
            return
        }
        inner.set(names.dropFirst(), to: value)
        self[first] = .map(inner)
    }

    /// Sets or removes many values in one pass, as setting them one by one would.
    mutating func set(_ changes: [(path: ArraySlice<ExactName>, value: DocumentValue?)]) {
        var groups: [ExactName: [(path: ArraySlice<ExactName>, value: DocumentValue?)]] = [:]
        for change in changes { if let first = change.path.first { groups[first, default: []].append((change.path.dropFirst(), change.value)) } }
        var merged: [Field] = []
        merged.reserveCapacity(all.count + groups.count)
        var rest = all[...]
        for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
            while let field = rest.first, field.name < name { merged.append(rest.removeFirst()) }
            let old = rest.first?.name == name ? rest.removeFirst().value : nil
            if let value = DocumentFields.value(old, changedBy: group) { merged.append(Field(name, value)) }
        }
        all = merged + rest
    }

    /// A field's value after changes of it and of values within it.
    private static func value(_ old: DocumentValue?, changedBy group: [(path: ArraySlice<ExactName>, value: DocumentValue?)]) -> DocumentValue? {
        // Changes before the last one of the whole value are lost.
        let last = group.lastIndex { $0.path.isEmpty }
        let value = last.map { group[$0].value } ?? old
        let within = group[(last.map { $0 + 1 } ?? 0)...]
        if within.isEmpty { return value }
        var inner = DocumentFields()
        if case .map(let fields)? = value { inner = fields } else if within.allSatisfy({ $0.value == nil }) { return value }
        inner.set(Array(within))
        return .map(inner)
    }

    /// The index of the first field whose name is not before this one.
    private func position(of name: ExactName) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
