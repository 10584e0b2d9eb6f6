// SPDX-License-Identifier: Apache-2.0

import Platform

/// The media type, headers and metadata of a file, as its uploader gave them.
package struct FileDetails: Hashable, Sendable {
    package static let maximumHeaderBytes = 1_024
    /// The limit of all names and values of the metadata.
    package static let maximumMetadataBytes = 8 << 10
    package static let unknownType = "application/octet-stream"

    package var type = FileDetails.unknownType
    package var cacheControl: String?
    package var contentDisposition: String?
    /// The coding of the bytes as they are stored. They are never decoded here.
    package var contentEncoding: String?
    package var contentLanguage: String?
    package var metadata: [Entry] = []

    /// A name and value of the metadata.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    package init(type: String = FileDetails.unknownType) {
        self.type = type
    }

    /// The size of all parts.
    package var bytes: Int {
        let headers = [cacheControl, contentDisposition, contentEncoding, contentLanguage]
        return headers.reduce(type.utf8.count + metadataBytes) { $0 + ($1?.utf8.count ?? 0) }
    }

    private var metadataBytes: Int { metadata.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    /// Whether all parts may be stored and sent as headers.
    package var isValid: Bool { invalidPart == nil }

    /// The field of a part that cannot be stored; nil if there is none.
    ///
    /// Headers are printable ASCII, so that no value begins another header.
    package var invalidPart: String? {
        let headers = [
            ("type", type), ("cache_control", cacheControl), ("content_disposition", contentDisposition), ("content_encoding", contentEncoding),
            ("content_language", contentLanguage),
        ]
        if let bad = headers.first(where: { $0.1.map { !FileDetails.isHeader($0) } ?? false }) { return bad.0 }
        let names = Set(metadata.map { Array($0.name.utf8) })
        let isNamed = metadata.allSatisfy { !$0.name.isEmpty && !$0.name.unicodeScalars.contains(where: \.isControl) }
        return metadataBytes <= FileDetails.maximumMetadataBytes && names.count == metadata.count && isNamed ? nil : "metadata"
    }

    private static func isHeader(_ text: String) -> Bool {
        (1...maximumHeaderBytes).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }
}
