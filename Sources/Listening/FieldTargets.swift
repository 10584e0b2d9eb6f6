// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Targets by the value that a field must have, as a tree of field names.
///
///     room == "a"             room → equal "a"
///     author.id == 7          author → id → equal 7
///     tags contains "x"       tags → element "x"
///
/// A lookup walks the tree along the fields of a document, so it costs no more than the document or the tree has fields, whichever has fewer.
struct FieldTargets {
    /// A field, how its value is compared, and the key of the value.
    struct Place {
        let names: ArraySlice<ExactName>
        let isElement: Bool
        let key: [UInt8]
    }

    typealias Entries = Set<ListenEntry.ID>

    private var equal: [[UInt8]: Entries] = [:]
    private var elements: [[UInt8]: Entries] = [:]
    private var inner: [ExactName: FieldTargets] = [:]

    var isEmpty: Bool { equal.isEmpty && elements.isEmpty && inner.isEmpty }

    mutating func update(_ place: Place, _ body: (inout Entries) -> Void) {
        if let name = place.names.first {
            // In place, as a copy of the targets of a large collection would take long.
            inner[name, default: FieldTargets()].update(Place(names: place.names.dropFirst(), isElement: place.isElement, key: place.key), body)
            if inner[name]?.isEmpty == true { inner[name] = nil }
        } else if place.isElement {
            FieldTargets.update(&elements, place.key, body)
        } else {
            FieldTargets.update(&equal, place.key, body)
        }
    }

    private static func update(_ entries: inout [[UInt8]: Entries], _ key: [UInt8], _ body: (inout Entries) -> Void) {
        body(&entries[key, default: []])
        if entries[key]?.isEmpty == true { entries[key] = nil }
    }

    /// Adds the targets that some fields satisfy. Returns the number of fields that were looked up.
    @discardableResult
    func collect(_ fields: DocumentFields, into found: inout Entries) -> Int {
        var lookups = min(inner.count, fields.count)
        if inner.count < fields.count {
            for (name, targets) in inner {
                if let value = fields[name] { lookups += targets.collect(value, into: &found) }
            }
        } else {
            for field in fields.all { lookups += inner[field.name]?.collect(field.value, into: &found) ?? 0 }
        }
        return lookups
    }

    private func collect(_ value: DocumentValue, into found: inout Entries) -> Int {
        if !equal.isEmpty, let entries = equal[FieldTargets.key(value)] { found.formUnion(entries) }
        if !elements.isEmpty {
            for element in value.elements {
                if let entries = elements[FieldTargets.key(element)] { found.formUnion(entries) }
            }
        }
        guard !inner.isEmpty, case .map(let fields) = value else { return 0 }
        return collect(fields, into: &found)
    }

    static func key(_ value: DocumentValue) -> [UInt8] {
        var key = OrderedKey()
        key.append(value)
        return key.bytes
    }
}
