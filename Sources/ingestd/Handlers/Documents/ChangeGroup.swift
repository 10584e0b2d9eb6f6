// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
import Listening
import SignalboxDocumentModel

/// A document's change, with all targets that it means the same for.
struct ChangeGroup {
    /// An event has one version of a document, which need not be compared field by field.
    private struct Place: Hashable {
        let path: DocumentPath
        let kind: String
        let selection: ObjectIdentifier?
    }

    let path: DocumentPath
    let change: TargetChange
    let selection: FieldSelection?
    var targets: [Int]

    /// Groups changes in the order of their first targets. Targets of one group have the same selection, not one that is equal.
    static func groups(_ changes: [ListenEvent.Change], _ selections: [Int: FieldSelection]) -> [ChangeGroup] {
        var places: [Place: Int] = [:]
        var groups: [ChangeGroup] = []
        for change in changes {
            let selection = selections[change.target]
            let place = Place(path: change.path, kind: kind(of: change.change), selection: selection.map(ObjectIdentifier.init))
            if let known = places[place] {
                groups[known].targets.append(change.target)
            } else {
                places[place] = groups.count
                groups.append(ChangeGroup(path: change.path, change: change.change, selection: selection, targets: [change.target]))
            }
        }
        return groups
    }

    var kind: String { Self.kind(of: change) }

    private static func kind(of change: TargetChange) -> String {
        switch change {
        case .added: "added"
        case .modified: "modified"
        case .removed: "removed"
        }
    }
}

extension JSONWriter {
    mutating func change(_ group: ChangeGroup) {
        beginObject()
        key("targets")
        beginArray()
        for target in group.targets { integer(Int64(target)) }
        endArray()
        field("kind", group.kind)
        if let document = group.change.document {
            key("document")
            beginObject()
            field("path", document.path.description)
            key("fields")
            fields(group.selection?.fields(of: document.fields) ?? document.fields)
            field("version", document.version)
            field("created", document.created)
            endObject()
        } else {
            field("path", group.path.description)
        }
        endObject()
    }
}
