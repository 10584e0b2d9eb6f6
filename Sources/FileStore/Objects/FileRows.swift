// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import JSON
import Platform
import SQLite

/// The columns of `objects` and `uploads` as values.
extension FileDetails {
    static let columns = "type, cache_control, content_disposition, content_encoding, content_language, metadata"

    /// Reads the details from the column `first` on.
    init(_ row: Row, from first: Int32) throws {
        self.init(type: row.text(first))
        cacheControl = row.optionalText(first + 1)
        contentDisposition = row.optionalText(first + 2)
        contentEncoding = row.optionalText(first + 3)
        contentLanguage = row.optionalText(first + 4)
        if !row.isNull(first + 5) { metadata = try FileDetails.metadata(row.bytes(first + 5)) }
    }

    var values: [Value] {
        [
            .text(type), .text(cacheControl), .text(contentDisposition), .text(contentEncoding), .text(contentLanguage),
            metadata.isEmpty ? .null : .blob(FileDetails.json(metadata)),
        ]
    }

    private static func metadata(_ json: [UInt8]) throws -> [Entry] {
        try JSONValue(json).fields.map { Entry($0.name, $0.value.text) }
    }

    private static func json(_ metadata: [Entry]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for entry in metadata { writer.field(entry.name, entry.value) }
        writer.endObject()
        return writer.bytes
    }
}

extension FileCondition {
    init(column: Int64?) {
        self =
            switch column {
            case nil: .any
            case 0: .absent
            case -1: .present
            case let generation?: .generation(generation)
            }
    }

    /// Nil also for those of Google's storage that are not about one generation. The last request of an upload brings them again.
    var column: Int64? {
        switch self {
        case .any, .metageneration, .not: nil
        case .all(let conditions): conditions.count == 1 ? conditions[0].column : nil
        case .absent: 0
        case .present: -1
        case .generation(let generation), .version(let generation, _): generation
        }
    }
}

extension Value {
    static func blob(_ bytes: [UInt8]?) -> Value { bytes.map { .blob($0) } ?? .null }
}

extension Row {
    func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
