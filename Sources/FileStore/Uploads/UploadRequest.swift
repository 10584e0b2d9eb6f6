// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Files
package import Platform

/// A file that a client wants to upload.
package struct UploadRequest: Sendable, Hashable {
    package var app: AppID
    package var path: FilePath
    package var details = FileDetails()
    /// The user who uploads; nil for a server.
    package var owner: String?
    package var condition = FileCondition.any
    /// The declared length, which is reserved; nil if the client does not know it.
    package var length: Int64?
    /// A lower limit than that of the store.
    package var limit: Int64?
    package var expected = ExpectedSums()

    package init(_ path: FilePath, app: AppID, length: Int64? = nil) {
        (self.app, self.path, self.length) = (app, path, length)
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
    package var way: String
    package var created: Timestamp
    package var expires: Timestamp
    /// The offset up to which it is durable.
    package var committed: Int64
    var blob: BlobName
}
