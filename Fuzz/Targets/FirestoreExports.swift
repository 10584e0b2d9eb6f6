// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreExport
import JSON
import SignalboxDocumentModel

/// Files of Firestore's exports, and single entities of them. Documents that are accepted are written and read again as the same.
enum FirestoreExports {
    private static let parser = JSONParser()

    static func run(_ bytes: [UInt8]) {
        if let entity = try? ExportedEntity(bytes) {
            check(entity)
            accepted()
        }
        _ = ExportedEntity.path(of: bytes)
        var (log, rest, sum, last) = (RecordLog(), bytes[...], 0, -1)
        while true {
            let block = rest.prefix(RecordLog.blockBytes)
            rest = rest.dropFirst(block.count)
            for item in log.read(block) + (rest.isEmpty ? log.finish() : []) {
                switch item {
                case .record(let record, let offset):
                    require(offset > last && offset + record.count <= bytes.count, "a record outside of the file")
                    (last, sum) = (offset, sum + record.count)
                    if let entity = try? ExportedEntity(record) { check(entity) }
                    accepted()
                case .damage(_, let offset): require(offset < bytes.count, "a damage outside of the file")
                }
            }
            if rest.isEmpty { break }
        }
        require(sum <= bytes.count, "more records than bytes")
    }

    private static func check(_ entity: ExportedEntity) {
        require(entity.path.isDocument && DocumentPath(entity.path.description) == entity.path, "a path that cannot be written")
        guard (try? entity.fields.validate(as: entity.path)) != nil else { return }
        var writer = JSONWriter()
        writer.fields(entity.fields)
        let again = try? parser.withReader { try $0.parse(writer.bytes, limits: NativeJSON.limits) }
        guard let tape = again, let fields = try? NativeJSON(tape).fields() else { return require(false, "a document that cannot be written") }
        require(DocumentValue.map(fields).order(.map(entity.fields)) == .same, "other fields")
    }
}
