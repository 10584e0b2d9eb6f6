// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

/// The changes to a file's details that a body asks for; null removes one.
///
///     {"content_type": "image/png", "metadata": {"album": "summer", "draft": null}}
struct DetailsEdit {
    private static var headers: [(name: String, path: WritableKeyPath<FileDetails, String?>)] {
        [
            ("cache_control", \.cacheControl), ("content_disposition", \.contentDisposition), ("content_encoding", \.contentEncoding),
            ("content_language", \.contentLanguage),
        ]
    }

    /// Nil to leave the type as it is.
    private var type: String?
    private var headers: [(path: WritableKeyPath<FileDetails, String?>, value: String?)] = []
    /// Values by the bytes of their names.
    private var metadata: [[UInt8]: String?] = [:]

    init(_ body: Body) throws(Refusal) {
        try body.allow(["content_type"] + DetailsEdit.headers.map(\.name) + ["metadata"])
        if body.names.contains("content_type") { type = try body.nullableText("content_type") ?? FileDetails.unknownType }
        for (name, path) in DetailsEdit.headers where body.names.contains(name) { headers.append((path, try body.nullableText(name))) }
        guard body.names.contains("metadata") else { return }
        let members = try body.object("metadata")
        for name in members.names {
            do throws(Refusal) { metadata[Array(name.utf8)] = .some(try members.nullableText(name)) } catch {
                throw .field("metadata", "wrong_type", "must have strings, or null for one to remove")
            }
        }
    }

    /// Changes details. The result may be too long to be stored.
    func apply(to details: inout FileDetails) {
        if let type { details.type = type }
        for (path, value) in headers { details[keyPath: path] = value }
        details.metadata.removeAll { metadata[Array($0.name.utf8)] != nil }
        let added = metadata.compactMap { name, value in value.map { FileDetails.Entry(String(decoding: name, as: UTF8.self), $0) } }
        details.metadata += added.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Body {
    /// A text; nil for null.
    fileprivate func nullableText(_ name: String) throws(Refusal) -> String? { isNull(name) ? nil : try text(name) }
}
