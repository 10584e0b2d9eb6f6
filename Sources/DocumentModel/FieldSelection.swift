// SPDX-License-Identifier: Apache-2.0

/// Chosen fields, as a tree of their paths.
///
///     [a, b.c, b.d]   of   {a: 1, b: {c: 2, e: 3}, f: 4}   →   {a: 1, b: {c: 2}}
///
/// It is made once for all documents of a result. Each document is walked once, whatever the number of paths.
package final class FieldSelection: Equatable, Sendable {
    /// The most paths of a request.
    package static let maximumPaths = 1_000
    /// The most names of a path that leads to a field of a document.
    private static let maximumNames = DocumentLimit.depth + 1

    private struct Step: Hashable {
        let node: Int
        let name: ExactName
    }

    private static let root = 0
    private let steps: [Step: Int]
    /// The nodes at which a path ends.
    private let ends: Set<Int>

    /// Makes a selection. `__name__` selects none.
    package init(_ paths: [FieldPath]) {
        var (steps, ends) = ([Step: Int](), Set<Int>())
        for path in paths where !path.isName && path.names.count <= FieldSelection.maximumNames {
            var node = FieldSelection.root
            for name in path.names {
                let step = Step(node: node, name: name)
                node = steps[step, default: steps.count + 1]
                steps[step] = node
            }
            ends.insert(node)
        }
        (self.steps, self.ends) = (steps, ends)
    }

    package static func == (a: FieldSelection, b: FieldSelection) -> Bool { a === b || a.steps == b.steps && a.ends == b.ends }

    /// Returns the chosen fields. A map has only what is chosen in it, and is left out if that is nothing.
    package func fields(of fields: DocumentFields) -> DocumentFields { part(of: fields, at: FieldSelection.root) }

    private func part(of fields: DocumentFields, at node: Int) -> DocumentFields {
        fields.compactMap { field in
            guard let next = steps[Step(node: node, name: field.name)] else { return nil }
            if ends.contains(next) { return field.value }
            guard case .map(let inner) = field.value else { return nil }
            let part = part(of: inner, at: next)
            return part.isEmpty ? nil : .map(part)
        }
    }
}
