// SPDX-License-Identifier: Apache-2.0

import Firestore
import Foundation
import JSON
import SignalboxDocumentModel
import Testing

/// Reads ProtoJSON as the routes do, and shortens `N/` to the root of the documents.
enum FirestoreBody {
    static let database = FirestoreDatabase(project: "p")
    private static let parser = JSONParser()

    static func reader(_ text: String) throws -> ProtoReader {
        let bytes = Array(text.replacing("N/", with: RecordedAnswers.root).utf8)
        return ProtoReader(try parser.withReader { try $0.parse(bytes, limits: ProtoReader.limits) }, database)
    }

    static func reader(_ object: RecordedAnswers.Object) throws -> ProtoReader {
        try reader(String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self))
    }

    static func value(_ text: String) throws -> DocumentValue { try reader(text).value(0) }

    /// The text of a value.
    static func text(_ value: DocumentValue) -> String {
        var writer = ProtoWriter(database)
        writer.value(value)
        return String(decoding: writer.json.bytes, as: UTF8.self).replacing(RecordedAnswers.root, with: "N/")
    }

    /// The text that a closure writes.
    static func written(_ write: (inout ProtoWriter) -> Void) -> String {
        var writer = ProtoWriter(database)
        write(&writer)
        return String(decoding: writer.json.bytes, as: UTF8.self).replacing(RecordedAnswers.root, with: "N/")
    }

    static func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }
    static func time(_ text: String) throws -> DocumentTime { try #require(DocumentTime(rfc3339: text)) }
}
