// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
import SignalboxDocumentModel

extension JSONWriter {
    /// Writes a document; of one that is not there, its path only.
    mutating func document(_ document: EncodedDocument?, _ path: DocumentPath) {
        beginObject()
        field("path", path.description)
        if let document {
            key("fields")
            raw(document.body[...])
            field("version", document.version.microseconds)
            field("created", document.created.microseconds)
        }
        endObject()
    }

    mutating func document(_ document: StoredDocument?, _ path: DocumentPath) {
        beginObject()
        field("path", path.description)
        if let document {
            key("fields")
            fields(document.fields)
            field("version", document.version.microseconds)
            field("created", document.created.microseconds)
        }
        endObject()
    }

    /// Writes the result of a write; `version` is missing if there is no document.
    mutating func result(_ write: CommitResult.Write) {
        beginObject()
        result(members: write)
        endObject()
    }

    mutating func result(members write: CommitResult.Write) {
        if let version = write.version { field("version", version.microseconds) }
        if !write.results.isEmpty {
            key("transforms")
            value(.array(write.results))
        }
    }

    mutating func explanation(examined: Int, _ indexes: [IndexShape]) {
        key("explain")
        beginObject()
        field("plan", indexes.isEmpty ? "scan" : "index")
        field("examined", examined)
        if !indexes.isEmpty {
            key("indexes")
            beginArray()
            for index in indexes {
                beginObject()
                shape(index)
                endObject()
            }
            endArray()
        }
        endObject()
    }
}
