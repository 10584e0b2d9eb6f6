// SPDX-License-Identifier: Apache-2.0

import JSON
package import SignalboxDocumentModel

/// Writes of a commit.
extension ProtoReader {
    package func writes(_ index: Int?) throws(FirestoreFault) -> [DocumentWrite] {
        var writes: [DocumentWrite] = []
        for place in try elements(index) {
            let write = try write(place)
            do throws(WriteFault) { try write.validateTransforms() } catch { throw FirestoreFault(error, of: database.name(of: write.path)) }
            writes.append(write)
        }
        return writes
    }

    /// Reads one write: `update`, `delete`, `verify`, or `transform` of old clients.
    package func write(_ index: Int) throws(FirestoreFault) -> DocumentWrite {
        let members = try message(
            index, "Write", ["update", "delete", "verify", "transform", "updateMask", "updateTransforms", "currentDocument"])
        let kinds = ["update", "delete", "verify", "transform"].filter { members[$0] != nil }
        guard let kind = kinds.first, let content = members[kind] else { throw .invalid("empty write operation") }
        if kinds.count > 1 { throw .invalid("A Write has one operation.") }
        let condition = try precondition(members["currentDocument"])
        if kind != "update", members["updateMask"] != nil || members["updateTransforms"] != nil {
            throw .invalid("Only an update has a mask or transforms.")
        }
        switch kind {
        case "delete": return DocumentWrite(try database.document(try text(content)), .delete, if: condition)
        case "verify":
            if condition == nil { throw .invalid("a verify must contain a precondition") }
            return DocumentWrite(try database.document(try text(content)), .verify, if: condition)
        case "transform":
            let transform = try message(content, "DocumentTransform", ["document", "fieldTransforms"])
            let path = try database.document(try text(transform["document"]) ?? "")
            let list = try transforms(transform["fieldTransforms"])
            if list.isEmpty { throw .invalid("The list of FieldTransform must not be empty.") }
            return DocumentWrite(path, .set(DocumentFields(), mask: []), transforms: list, if: condition)
        default:
            let document = try document(content)
            let path = try database.document(document.name ?? "")
            let change = DocumentWrite.Change.set(document.fields, mask: try mask(members["updateMask"]))
            return DocumentWrite(path, change, transforms: try transforms(members["updateTransforms"]), if: condition)
        }
    }

    /// Reads a document. Its times are ignored, as a client cannot set them.
    package func document(_ index: Int) throws(FirestoreFault) -> (name: String?, fields: DocumentFields) {
        let members = try message(index, "Document", ["name", "fields", "createTime", "updateTime"])
        return (try text(members["name"]), try fields(members["fields"]))
    }

    package func precondition(_ index: Int?) throws(FirestoreFault) -> DocumentWrite.Precondition? {
        guard let index else { return nil }
        let members = try message(index, "Precondition", ["exists", "updateTime"])
        if members.count > 1 { throw .invalid("A Precondition has one condition.") }
        if let time = members["updateTime"] { return .changed(try self.time(time)) }
        return members["exists"] == nil ? nil : .exists(try flag(members["exists"]))
    }

    private func transforms(_ index: Int?) throws(FirestoreFault) -> [DocumentWrite.Transformed] {
        var transforms: [DocumentWrite.Transformed] = []
        for place in try elements(index) { transforms.append(try transform(place)) }
        if transforms.count > DocumentLimit.transforms { throw .invalid("A document has at most \(DocumentLimit.transforms) transforms.") }
        return transforms
    }

    private func transform(_ index: Int) throws(FirestoreFault) -> DocumentWrite.Transformed {
        let known = ["fieldPath", "setToServerValue", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray"]
        let members = try message(index, "FieldTransform", known)
        let field = try field(members["fieldPath"])
        guard members.count == 2, let (kind, content) = members.all.first(where: { $0.name != "fieldPath" }) else {
            throw .invalid("A FieldTransform has one transform.")
        }
        switch kind {
        case "increment": return .init(field, .increment(try number(content)))
        case "maximum": return .init(field, .maximum(try number(content)))
        case "minimum": return .init(field, .minimum(try number(content)))
        case "appendMissingElements": return .init(field, .union(try array(content)))
        case "removeAllFromArray": return .init(field, .remove(try array(content)))
        default:
            let now = try word(content, [("REQUEST_TIME", 1, FieldTransform.now)], "server value")
            return .init(field, now)
        }
    }

    private func number(_ index: Int) throws(FirestoreFault) -> DocumentValue {
        let value = try value(index)
        switch value {
        case .integer, .double: return value
        default: throw .invalid("The operand of a numeric transform is a number.")
        }
    }
}
