// SPDX-License-Identifier: Apache-2.0

package import Files
package import Platform

/// A file as its row describes it.
package struct StoredFile: Hashable, Sendable {
    /// The place of the bytes.
    package enum Place: Hashable, Sendable {
        case blob(BlobName)
        /// The number of a row of `contents`.
        case row(Int64)
    }

    package var app: AppID
    package var path: FilePath
    package var place: Place
    package var size: Int64
    package var details: FileDetails
    package var sums: FileSums
    /// The stamp of the upload in microseconds. It rises with each change of a file, so it names one version of the bytes.
    package var generation: Int64
    /// The number of changes of the details, from 1.
    package var metageneration: Int64
    /// Download tokens of Firebase, separated by commas.
    package var tokens: String?
    /// The user who uploaded it; nil for a server.
    package var owner: String?
    package var created: Timestamp
    package var updated: Timestamp
    /// The function that must allow it; nil for a file that is readable.
    package var pendingUntil: String?

    /// The strong entity tag: of the bytes and of the details, which are sent with them.
    package var etag: String { metageneration == 1 ? "\"\(generation)\"" : "\"\(generation)-\(metageneration)\"" }
}
