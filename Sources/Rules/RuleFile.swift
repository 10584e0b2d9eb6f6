// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A file as rules see it. A member that is nil does not exist, so a condition on it fails.
package struct RuleFile: Sendable {
    package var name: String
    package var bucket: String
    package var size: Int64?
    package var generation: Int64?
    package var metageneration: Int64?
    package var contentType: String?
    package var contentEncoding: String?
    package var contentDisposition: String?
    package var contentLanguage: String?
    package var cacheControl: String?
    package var md5Hash: String?
    package var crc32c: String?
    package var etag: String?
    package var created: DocumentTime?
    package var updated: DocumentTime?
    package var metadata: [String: String] = [:]
    /// Whether the checksums are unknown because the bytes are still to come. A condition on them is undecided then.
    var isAwaited = false

    package init(name: String, bucket: String) {
        (self.name, self.bucket) = (name, bucket)
    }

    private static let names: [ExactName] = [
        "name", "bucket", "size", "generation", "metageneration", "contentType", "contentEncoding", "contentDisposition", "contentLanguage",
        "cacheControl", "md5Hash", "crc32c", "etag", "timeCreated", "updated", "metadata",
    ]

    var value: RuleValue { .map(RuleMap(RuleFile.names) { self[$0] }) }

    /// A member of the file's value.
    subscript(name: ExactName) -> RuleValue? {
        switch name {
        case "name": .text(self.name)
        case "bucket": .text(bucket)
        case "size": size.map(RuleValue.integer)
        case "generation": generation.map(RuleValue.integer)
        case "metageneration": metageneration.map(RuleValue.integer)
        case "timeCreated": created.map { .timestamp(RuleSpan($0)) }
        case "updated": updated.map { .timestamp(RuleSpan($0)) }
        case "md5Hash" where isAwaited, "crc32c" where isAwaited: .unknown([])
        case "metadata": .map(.made(Dictionary(uniqueKeysWithValues: metadata.map { (ExactName($0.key), RuleValue.text($0.value)) })))
        default: text(name).map(RuleValue.text)
        }
    }

    private func text(_ name: ExactName) -> String? {
        switch name {
        case "contentType": contentType
        case "contentEncoding": contentEncoding
        case "contentDisposition": contentDisposition
        case "contentLanguage": contentLanguage
        case "cacheControl": cacheControl
        case "md5Hash": md5Hash
        case "crc32c": crc32c
        case "etag": etag
        default: nil
        }
    }
}

/// The value of `resource`: a document or a file.
package enum RuleResource: Sendable {
    case document(RuleDocument)
    case file(RuleFile)

    var value: RuleValue {
        switch self {
        case .document(let document): document.value
        case .file(let file): file.value
        }
    }

    subscript(name: ExactName) -> RuleValue? {
        switch self {
        case .document(let document): document[name]
        case .file(let file): file[name]
        }
    }
}

extension RuleRequest {
    /// A request for a file. To list is to ask for the folder whose segments these are.
    ///
    ///     RuleRequest(.get, file: ["users", "u1", "face.png"], in: "shop", auth: .null, time: now)   →   /b/shop/o/users/u1/face.png
    ///
    /// With `anyDepth` as the last segment it asks for the folder and all below it, which only a match with `=**` allows.
    package init(_ method: RuleMethodName, file segments: [String], in bucket: String, auth: RuleValue, time: DocumentTime) {
        self.init(method, service: .files, path: ["b", bucket, "o"] + segments, auth: auth, time: time)
    }
}
