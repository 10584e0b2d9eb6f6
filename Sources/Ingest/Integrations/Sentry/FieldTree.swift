// SPDX-License-Identifier: Apache-2.0

import JSON

/// Fields of an event by their paths: `["user", "id"]` with `5` is `{"user":{"id":"5"}}`.
final class FieldTree {
    static let levels = 8

    private struct Member {
        var name: String
        var value: String?
        var tree: FieldTree?
    }

    private var members: [Member] = []
    /// The positions of members by their names' bytes.
    private var places: [[UInt8]: Int] = [:]

    /// Sets a text. A second text of a path, and a path through a text, are ignored.
    func set(_ path: [String], _ value: String) {
        var tree = self
        for (depth, name) in path.enumerated() {
            let isLast = depth == path.count - 1
            let key = Array(name.utf8)
            if tree.places[key] == nil {
                tree.places[key] = tree.members.count
                tree.members.append(Member(name: name, value: isLast ? value : nil, tree: isLast ? nil : FieldTree()))
            }
            guard !isLast, let next = tree.places[key].flatMap({ tree.members[$0].tree }) else { return }
            tree = next
        }
    }

    func has(_ name: String) -> Bool { places[Array(name.utf8)] != nil }

    /// Writes the members of an object, except those that `isKnown` returns true for.
    func writeMembers(to json: inout JSONWriter, except isKnown: (String) -> Bool = { _ in false }) {
        for member in members where !isKnown(member.name) {
            json.key(member.name)
            if let tree = member.tree {
                json.beginObject()
                tree.writeMembers(to: &json)
                json.endObject()
            } else {
                json.string(member.value ?? "")
            }
        }
    }
}
