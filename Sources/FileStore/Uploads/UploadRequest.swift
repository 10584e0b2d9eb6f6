// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Files
package import Platform

/// A file that a client wants to upload.
package struct UploadRequest: Sendable, Hashable {
    package var app: AppID
    /// Nil for an upload of one request whose body names and describes the file (`UploadEnd`).
    package var path: FilePath?
    package var details = FileDetails()
    /// The user who uploads; nil for a server.
    package var owner: String?
    package var condition = FileCondition.any
    /// The declared length, which is reserved; nil if the client does not know it.
    package var length: Int64?
    /// A lower limit than that of the store.
    package var limit: Int64?
    package var expected = ExpectedSums()

    package init(_ path: FilePath?, app: AppID, length: Int64? = nil) {
        (self.app, self.path, self.length) = (app, path, length)
    }

    /// Whether the MD5 of the bytes is compared, or may be, since a body has yet to say it.
    var needsMD5: Bool { expected.md5 != nil || path == nil }
}

/// The parts of a file that are known at the end of its upload only.
package struct UploadEnd: Sendable {
    /// The sums that the last request promised, beside those of the upload.
    package var expected: ExpectedSums
    /// The file as the body described it; nil for the file of the request that began the upload.
    package var request: UploadRequest?
    /// The download tokens of the new file.
    package var tokens: String?
    /// Decides with the final size; nil for a caller who may do everything.
    package var judge: FileJudge?
    /// The number of runs of functions that led to the last request.
    package var depth: Int
    /// The times of the new file; nil for now.
    var times: FileTimes?
    /// The function that the new file waits for, as an import says.
    var pendingUntil: String?

    package init(
        _ expected: ExpectedSums = ExpectedSums(), of request: UploadRequest? = nil, tokens: String? = nil, by judge: FileJudge? = nil, depth: Int = 0
    ) {
        (self.expected, self.request, self.tokens, self.judge, self.depth) = (expected, request, tokens, judge, depth)
    }
}

/// The ID of an upload of several requests: 128 random bits, which clients get in its URL.
package struct UploadID: Hashable, Sendable {
    static let length = 16

    let bytes: [UInt8]

    init() { bytes = randomBytes(UploadID.length) }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == UploadID.length else { return nil }
        self.bytes = bytes
    }

    /// Reads 32 hexadecimal digits in lower case.
    package init?(_ text: String) {
        guard let bytes = Hex.decode(text), Hex.encode(bytes).utf8.elementsEqual(text.utf8) else { return nil }
        self.init(bytes)
    }

    package var text: String { Hex.encode(bytes) }
}

/// An upload of several requests as its row describes it.
package struct StoredUpload: Sendable, Hashable {
    package var id: UploadID
    package var request: UploadRequest
    /// The claims of the caller who began it, as the caller wrote them.
    package var claims: [UInt8]
    /// The protocol that it belongs to.
    package var way: UploadWay
    package var created: Timestamp
    package var expires: Timestamp
    /// The offset up to which it is durable.
    package var committed: Int64
    var blob: BlobName
}

/// The protocol of an upload of several requests.
package enum UploadWay: String, Sendable {
    case tus, firebase, google

    /// Whether the last request may promise an MD5, or its response must have one.
    var needsMD5: Bool { self == .google }
}
