// SPDX-License-Identifier: Apache-2.0

package import JSON
package import SignalboxDocumentModel

/// A reader of the fields of a write, in which transforms and deletions stand in the place of values.
///
///     {"name": "Ann", "visits": {"$increment": 1}, "old": {"$delete": true}, "m": {"at": {"$now": true}}}
///     fields {name: "Ann", m: {}}   mask [name, old]   transforms visits + 1, m.at = now
package struct NativeWrite {
    /// The most names of a mask, so that the work of a merge is bounded.
    package static let maskNames = 2_000

    /// The names of the fields and the mask.
    package enum Form: Hashable, Sendable {
        /// All fields are replaced; a deletion is refused.
        case whole
        /// The names are those of fields; the mask has every value that is not a map.
        case merge
        /// The names are those of fields; the mask is given. Fields that it does not name are ignored, and those that it alone names are removed.
        case masked([FieldPath])
        /// The names are paths such as `a.b`, which are the mask.
        case paths
    }

    package private(set) var fields = DocumentFields()
    package private(set) var mask: [FieldPath] = []
    package private(set) var transforms: [DocumentWrite.Transformed] = []
    private let tape: JSONTape
    private let json: NativeJSON
    private let form: Form
    /// The names of the fields that a given mask has.
    private let named: Set<[ExactName]>

    /// Reads the object at a place of the tape.
    package init(_ tape: JSONTape, at place: Int, _ form: Form) throws(NativeJSONError) {
        (self.tape, self.json, self.form) = (tape, NativeJSON(tape), form)
        if case .masked(let mask) = form { named = Set(mask.map(\.names)) } else { named = [] }
        guard tape[place].isObject else { throw NativeJSONError(reason: .notAnObject) }
        if form == .paths { try readPaths(place) } else { fields = try map(at: place, []) }
        if case .masked(let all) = form {
            guard !all.contains(where: \.isName) else { throw NativeJSONError(reason: .fieldPath) }
            transforms = transforms.filter { named.contains($0.field.names) || isWithinNamed($0.field.names) }
            // The field of a transform keeps its value until that is applied.
            let transformed = Set(transforms.map(\.field))
            mask = all.filter { !transformed.contains($0) }
        }
        if mask.count > NativeWrite.maskNames { throw NativeJSONError(reason: .tooManyNames) }
    }

    private mutating func readPaths(_ place: Int) throws(NativeJSONError) {
        var values: [(path: FieldPath, value: DocumentValue?)] = []
        let json = json
        try json.members(of: place) { name, place throws(NativeJSONError) in
            guard let path = FieldPath(name.text), !path.isName else { throw NativeJSONError(reason: .fieldPath) }
            switch try entry(at: place, path.names) {
            case .value(let value): values.append((path, value))
            case .deletion: values.append((path, nil))
            case .transform: break
            }
        }
        // A path is next to those within it, and each is inserted behind the one before.
        values.sort { $0.path.names.lexicographicallyPrecedes($1.path.names) }
        for (a, b) in zip(values, values.dropFirst()) where b.path.starts(with: a.path) { throw NativeJSONError(reason: .overlappingPaths) }
        mask = values.map(\.path)
        if mask.count > NativeWrite.maskNames { throw NativeJSONError(reason: .tooManyNames) }
        for (path, value) in values { if let value { fields[path] = value } }
    }

    private enum Entry {
        case value(DocumentValue)
        case transform
        case deletion
    }

    /// Reads a value, or adds the transform in its place.
    private mutating func entry(at place: Int, _ names: [ExactName]) throws(NativeJSONError) -> Entry {
        guard tape[place].isObject else { return .value(try json.value(at: place)) }
        guard let tag = json.tag(at: place) else { return .value(.map(try map(at: place, names))) }
        switch tag.name {
        case "$delete":
            guard tape[tag.value].kind == .true else { throw NativeJSONError(reason: .invalidFlag) }
            if form == .whole { throw NativeJSONError(reason: .deletionWithoutMask) }
            return .deletion
        case "$now", "$increment", "$max", "$min", "$union", "$remove":
            guard let path = FieldPath(names) else { throw NativeJSONError(reason: .fieldPath) }
            if transforms.count == DocumentLimit.transforms { throw NativeJSONError(reason: .tooManyTransforms) }
            transforms.append(DocumentWrite.Transformed(path, try transform(tag.name, tag.value)))
            return .transform
        default: return .value(try json.value(at: place))
        }
    }

    private func transform(_ name: String, _ place: Int) throws(NativeJSONError) -> FieldTransform {
        switch name {
        case "$increment": return .increment(try number(place))
        case "$max": return .maximum(try number(place))
        case "$min": return .minimum(try number(place))
        case "$union", "$remove":
            guard tape[place].kind == .array else { throw NativeJSONError(reason: .invalidElements) }
            let values = try json.values(at: place)
            return name == "$union" ? .union(values) : .remove(values)
        default:
            guard tape[place].kind == .true else { throw NativeJSONError(reason: .invalidFlag) }
            return .now
        }
    }

    private func number(_ place: Int) throws(NativeJSONError) -> DocumentValue {
        let value = try json.value(at: place)
        switch value {
        case .integer, .double: return value
        default: throw NativeJSONError(reason: .invalidOperand)
        }
    }

    /// Reads a map. With `merge`, its values are added to the mask; an empty map counts as a value.
    private mutating func map(at place: Int, _ names: [ExactName]) throws(NativeJSONError) -> DocumentFields {
        var list: [DocumentFields.Field] = []
        let json = json
        if form == .merge, tape[place].children == 0, !names.isEmpty { try addToMask(names) }
        try json.members(of: place) { name, place throws(NativeJSONError) in
            let inner = names + [name]
            switch try entry(at: place, inner) {
            case .value(let value):
                list.append(DocumentFields.Field(name, value))
                if case .map = value {} else { try addToMask(inner) }
            case .deletion:
                if replacesMap(of: inner) { throw NativeJSONError(reason: .nestedDeletion) }
                try addToMask(inner)
            case .transform: break
            }
        }
        guard let fields = DocumentFields(list) else { throw NativeJSONError(reason: .repeatedField) }
        return fields
    }

    /// Whether the write replaces the map that a field is in, with all its fields. As in Firestore, no single field of it can be removed then.
    private func replacesMap(of names: [ExactName]) -> Bool {
        switch form {
        case .whole, .merge: false
        case .paths: true
        case .masked: isWithinNamed(names)
        }
    }

    /// Whether a given mask has a field that this one is in.
    private func isWithinNamed(_ names: [ExactName]) -> Bool { names.indices.dropFirst().contains { named.contains(Array(names[..<$0])) } }

    private mutating func addToMask(_ names: [ExactName]) throws(NativeJSONError) {
        guard form == .merge else { return }
        guard let path = FieldPath(names) else { throw NativeJSONError(reason: .fieldPath) }
        if mask.count == NativeWrite.maskNames { throw NativeJSONError(reason: .tooManyNames) }
        mask.append(path)
    }
}
