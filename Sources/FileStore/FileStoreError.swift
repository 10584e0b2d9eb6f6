// SPDX-License-Identifier: Apache-2.0

package import Files

/// A reason for which a request about files is refused.
package enum FileFault: Error, Hashable, Sendable {
    case notFound
    /// A part of the details cannot be stored; the name is that of its field.
    case invalidDetail(String)
    /// The rules of the app do not allow it.
    case denied
    /// The file is not in the state that the request depends on.
    case conditionFailed
    case appQuotaExceeded
    case userQuotaExceeded
    /// The file is larger than one may be.
    case tooLarge
    /// The user, or all users together, have too many open uploads.
    case tooManyUploads
    /// The file has too many revocable links.
    case tooManyLinks
    /// The disk has less free space than uploads leave to the rest.
    case diskReserve
    /// The upload ended, expired or was cancelled.
    case uploadGone
    /// Another request goes on with the upload.
    case superseded
    /// The bytes are not those that the client promised.
    case checksumMismatch
    case upload(UploadState.Fault)
}

/// A state of the database that this store does not write.
enum FileStoreError: Error {
    case damaged
}
