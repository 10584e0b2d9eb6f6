// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

/// The changes to a file's details that a body asks for; null removes one.
///
///     {"content_type": "image/png", "metadata": {"album": "summer", "draft": null}}
struct DetailsEdit {
    /// The names that a protocol has for the parts.
    struct Names: Sendable {
        static let native = Names(
            type: "content_type", headers: ["cache_control", "content_disposition", "content_encoding", "content_language"], takesOthers: false)
        /// Google's clients send the members of the whole object, of which only these can be changed.
        static let google = Names(
            type: "contentType", headers: ["cacheControl", "contentDisposition", "contentEncoding", "contentLanguage"], takesOthers: true)

        let type: String
        let headers: [String]
        /// Whether members that are no details are ignored.
        let takesOthers: Bool
    }

    /// In the order of `Names.headers`.
    private static var headers: [WritableKeyPath<FileDetails, String?>] {
        [\.cacheControl, \.contentDisposition, \.contentEncoding, \.contentLanguage]
    }

    /// Nil to leave the type as it is.
    private var type: String?
    private var headers: [(path: WritableKeyPath<FileDetails, String?>, value: String?)] = []
    /// Values by the bytes of their names.
    private var metadata: [[UInt8]: String?] = [:]

    /// Whether the metadata that is there goes.
    private var clearsMetadata = false

    init(_ body: Body, _ names: Names = .native) throws(Refusal) {
        if !names.takesOthers { try body.allow([names.type] + names.headers + ["metadata"]) }
        if body.names.contains(names.type) { type = try body.nullableText(names.type) ?? FileDetails.unknownType }
        for (name, path) in zip(names.headers, DetailsEdit.headers) where body.names.contains(name) {
            headers.append((path, try body.nullableText(name)))
        }
        guard body.names.contains("metadata") else { return }
        clearsMetadata = names.takesOthers && body.isNull("metadata")
        if clearsMetadata { return }
        let members = try body.object("metadata")
        for name in members.names {
            do throws(Refusal) { metadata[Array(name.utf8)] = .some(try members.nullableText(name)) } catch {
                throw .field("metadata", "wrong_type", "must have strings, or null for one to remove")
            }
        }
    }

    /// Whether nothing is changed.
    var isEmpty: Bool { type == nil && headers.isEmpty && metadata.isEmpty && !clearsMetadata }

    /// Takes a name out of the metadata. Returns its new value, which is nil if the body removes it; nil if the body does not name it.
    mutating func take(_ name: String) -> String?? { metadata.removeValue(forKey: Array(name.utf8)) }

    /// Changes details. The result may be too long to be stored.
    func apply(to details: inout FileDetails) {
        if let type { details.type = type }
        for (path, value) in headers { details[keyPath: path] = value }
        details.metadata.removeAll { clearsMetadata || metadata[Array($0.name.utf8)] != nil }
        let added = metadata.compactMap { name, value in value.map { FileDetails.Entry(String(decoding: name, as: UTF8.self), $0) } }
        details.metadata += added.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Body {
    /// A text; nil for null.
    fileprivate func nullableText(_ name: String) throws(Refusal) -> String? { isNull(name) ? nil : try text(name) }
}
