// SPDX-License-Identifier: Apache-2.0

import Crypto
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// The description of a file in the form of Google's storage.
struct StorageObject {
    /// The name of the download tokens in the metadata of Google's JSON API.
    static let tokensName = "firebaseStorageDownloadTokens"

    let file: StoredFile
    /// The bucket as the request named it, since SDKs make references from it.
    let bucket: String
    let tokens: String?
    /// Whether it is that of Google's JSON API, which has the tokens in the metadata.
    var isGoogle = false

    func response(status: Int = 200) -> HTTPResponse {
        HTTPResponse.json(status: status, reserving: 1_024) { json in
            write(to: &json)
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        if isGoogle {
            json.field("kind", "storage#object")
            json.field("id", "\(bucket)/\(file.path.text)/\(file.generation)")
        }
        writeMembers(to: &json)
        json.endObject()
    }

    private func writeMembers(to json: inout JSONWriter) {
        let details = file.details
        for (name, value) in [
            ("name", file.path.text), ("bucket", bucket), ("generation", "\(file.generation)"), ("metageneration", "\(file.metageneration)"),
            ("contentType", details.type), ("timeCreated", file.created.rfc3339), ("updated", file.updated.rfc3339),
            ("storageClass", "STANDARD"), ("size", "\(file.size)"), ("crc32c", Base64.encode(file.sums.crc32cBytes)),
            ("etag", String(file.etag.dropFirst().dropLast())),
        ] { json.field(name, value) }
        let optional = [
            ("md5Hash", file.sums.md5.map(Base64.encode)), ("contentEncoding", details.contentEncoding),
            ("contentDisposition", details.contentDisposition), ("contentLanguage", details.contentLanguage),
            ("cacheControl", details.cacheControl), ("downloadTokens", isGoogle ? nil : tokens),
        ]
        for (name, value) in optional { if let value { json.field(name, value) } }
        writeMetadata(to: &json)
    }

    private func writeMetadata(to json: inout JSONWriter) {
        var entries = file.details.metadata
        if isGoogle, let tokens {
            entries.removeAll { $0.name.hasSameBytes(as: StorageObject.tokensName) }
            entries.append(FileDetails.Entry(StorageObject.tokensName, tokens))
        }
        guard !entries.isEmpty else { return }
        json.key("metadata")
        json.beginObject()
        for entry in entries { json.field(entry.name, entry.value) }
        json.endObject()
    }
}
