// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import Platform

/// Google Cloud Storage's JSON API, as its clients on servers use it with `STORAGE_EMULATOR_HOST`.
///
///     GET  /storage/v1/b/shop/o/users%2Fann%2Fa.png                            {"kind": "storage#object", "name": "users/ann/a.png", …}
///     GET  /download/storage/v1/b/shop/o/users%2Fann%2Fa.png?alt=media         the bytes
///     POST /upload/storage/v1/b/shop/o?uploadType=resumable {"name": "a"}      Location: …&upload_id=9f86…
///
/// An app is one bucket. Callers are servers, so no rules decide. Some clients leave out `/storage/v1`.
enum GoogleStorage {
    static let integration = Integration("Google Cloud Storage", refusal: refusal, routes: ["", "/storage/v1"].flatMap(objects) + transfers)

    private static let access = Route.Access.integration(IntegrationKey(roles: [.data], place: .authorization, emulation: .files))
    private static let uploads = "/upload/storage/v1/b/{bucket}/o"
    /// The limit of the JSON that describes a file.
    private static let bodyBytes = RelatedReader.maximumMetadataBytes

    private static let transfers = [
        Route(
            .get, "/download/storage/v1/b/{bucket}/o/{path}", access, .task(\.integrations.googleObjects, GoogleObjects.download), takesRest: true,
            sendsFiles: true),
        Route(.post, uploads, access, .receive(\.integrations.googleUploads, GoogleUploads.post)),
        Route(.put, uploads, access, .receive(\.integrations.googleUploads, GoogleUploads.put)),
        Route(.delete, uploads, access, .task(\.integrations.googleUploads, GoogleUploads.cancel)),
        Route(.post, "/batch/storage/v1", access, unsupported("Requests in batches are not supported.", hint: "Send them one by one.")),
    ]

    private static func objects(_ base: String) -> [Route] {
        let (bucket, all) = ("\(base)/b/{bucket}", "\(base)/b/{bucket}/o")
        let one = "\(all)/{path}"
        let target = "b/{destination}/o/{name}"
        return [
            Route(.get, bucket, access, .task(\.integrations.googleObjects, GoogleObjects.bucket)),
            Route(.get, all, access, .task(\.integrations.googleObjects, GoogleObjects.list)),
            Route(.get, one, access, .task(\.integrations.googleObjects, GoogleObjects.get), takesRest: true, sendsFiles: true),
            Route(.patch, one, access, .task(\.integrations.googleObjects, GoogleObjects.change), most: bodyBytes, takesRest: true),
            Route(.put, one, access, .task(\.integrations.googleObjects, GoogleObjects.replace), most: bodyBytes, takesRest: true),
            Route(.delete, one, access, .task(\.integrations.googleObjects, GoogleObjects.delete), takesRest: true),
            Route(
                .post, "\(one)/rewriteTo/\(target)", access, .task(\.integrations.googleCopies, GoogleCopies.rewrite), most: bodyBytes,
                takesRest: true),
            Route(.post, "\(one)/copyTo/\(target)", access, .task(\.integrations.googleCopies, GoogleCopies.copy), most: bodyBytes, takesRest: true),
            Route(.post, "\(one)/compose", access, unsupported("Files cannot be composed.", hint: "Upload the whole file.")),
        ]
    }

    private static func unsupported(_ detail: String, hint: String) -> Route.Handler {
        .task { _, _ in throw Refusal(.notImplemented, detail, hint: hint) }
    }

    // MARK: Refusals

    @Sendable private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let (status, reason) = status(of: refusal.code)
        var response = GoogleError.listResponse(status, refusal.sentences, reason: reason)
        response.addRetryAfter(refusal)
        if status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
        return response
    }

    /// Returns Google's status and reason. Its clients repeat requests after 408, 429 and 5xx other than 501.
    private static func status(of code: Refusal.Code) -> (Int, reason: String) {
        switch code {
        case .quotaExceeded: (403, "quotaExceeded")
        case .overloaded: (503, "backendError")
        default: (code.statusOfStorage, reason(of: code.statusOfStorage))
        }
    }

    private static func reason(of status: Int) -> String {
        switch status {
        case 401: "authError"
        case 403: "forbidden"
        case 404: "notFound"
        case 409: "conflict"
        case 412: "conditionNotMet"
        case 413: "uploadTooLarge"
        case 429: "rateLimitExceeded"
        case 500: "internalError"
        case 501: "notImplemented"
        default: status < 500 ? "invalid" : "backendError"
        }
    }
}

/// The state of a file that a request of Google's JSON API depends on.
///
///     ?ifGenerationMatch=0               there is no file
///     ?ifMetagenerationMatch=2           the details were changed once
///     ?ifGenerationNotMatch=1795741200   there is a file of another generation
///     ?generation=1795741200             this generation; another one is not found
struct StorageConditions {
    let generation: Int64?
    let match: FileCondition
    /// A read of a file for which it does not hold is 304.
    let notMatch: FileCondition

    /// - Parameter isSource: Whether they are those of a copy's source.
    init(_ query: QueryString, isSource: Bool = false) throws(Refusal) {
        let prefix = isSource ? "ifSource" : "if"
        generation = try query.int64(isSource ? "sourceGeneration" : "generation")
        let match = try query.int64("\(prefix)GenerationMatch").map { $0 == 0 ? FileCondition.absent : .generation($0) }
        let notMatch = try query.int64("\(prefix)GenerationNotMatch").map { $0 == 0 ? FileCondition.present : .not(.generation($0)) }
        let details = try query.int64("\(prefix)MetagenerationMatch").map { FileCondition.metageneration($0) }
        let otherDetails = try query.int64("\(prefix)MetagenerationNotMatch").map { FileCondition.not(.metageneration($0)) }
        self.match = StorageConditions.all([match, details])
        self.notMatch = StorageConditions.all([notMatch, otherDetails])
    }

    private static func all(_ conditions: [FileCondition?]) -> FileCondition {
        let conditions = conditions.compactMap(\.self)
        return conditions.isEmpty ? .any : .all(conditions)
    }

    /// The condition of a change, which is checked in its commit.
    var ofChange: FileCondition {
        StorageConditions.all([match == .any ? nil : match, notMatch == .any ? nil : notMatch, generation.map { .generation($0) }])
    }

    /// Returns the file, if it is there in the generation that is asked for and in the state that a change depends on.
    func require(_ file: StoredFile?) throws(FileFault) -> StoredFile {
        let file = try find(file)
        guard ofChange.holds(for: file.generation, metageneration: file.metageneration) else { throw .conditionFailed }
        return file
    }

    /// Whether a read has a response of its own: the client has the file already.
    func isUnchanged(_ file: StoredFile) throws(FileFault) -> Bool {
        guard match.holds(for: file.generation, metageneration: file.metageneration) else { throw .conditionFailed }
        return !notMatch.holds(for: file.generation, metageneration: file.metageneration)
    }

    func find(_ file: StoredFile?) throws(FileFault) -> StoredFile {
        guard let file, generation ?? file.generation == file.generation else { throw .notFound }
        return file
    }
}

extension QueryString {
    fileprivate func int64(_ name: String) throws(Refusal) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .field(name, "wrong_type", "must be a whole number") }
        return number
    }
}

extension UploadRequest {
    /// Takes the download tokens out of the metadata. They are stored with the file only if tokens are permanent.
    mutating func takeTokens(_ kind: DownloadTokens) -> String? {
        guard let place = details.metadata.firstIndex(where: { $0.name.hasSameBytes(as: StorageObject.tokensName) }) else { return nil }
        let tokens = details.metadata.remove(at: place).value
        return kind == .permanent && !tokens.isEmpty ? tokens : nil
    }
}

extension FileAccess {
    /// The description of a file for clients of Google's JSON API.
    func object(_ file: StoredFile, _ bucket: String) -> StorageObject {
        StorageObject(file: file, bucket: bucket, tokens: store.files.bounds.downloadTokens == .permanent ? file.tokens : nil, isGoogle: true)
    }
}
