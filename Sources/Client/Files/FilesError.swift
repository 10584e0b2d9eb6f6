// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An error of ``Files``.
public enum FilesError: Error, Equatable, Sendable {
    /// There is no such file.
    case notFound
    /// The session has ended, or the key is not valid.
    case unauthenticated
    /// Another user is signed in than the one who began the transfer, or nobody. That of a file can go on once the user is signed in again.
    case userChanged
    /// The storage rules do not allow it. The daemon does not tell whether the file is there.
    case permissionDenied
    /// The file is stored, and nobody can read it until this function allows it, so there is no download URL yet.
    case pending(until: String)
    /// The app or the user has no space left.
    case quotaExceeded
    /// The task was cancelled. An upload or download of a file can go on.
    case cancelled
    /// The bytes do not have the file's checksum.
    case checksum
    /// The file is larger than allowed, or than the limit of the call.
    case tooLarge(bytes: Int64)
    /// The file on this device cannot be read or written, or changed during the upload.
    case fileUnusable(path: String, reason: String)
    /// The path is empty, longer than 1,024 bytes, or has an empty segment, `.`, `..` or a control character.
    case badPath
    /// `SignalboxOptions.app` is missing, and nobody is signed in.
    case appUnknown
    /// Any other error, such as ``SignalboxError/unreachable(reason:)``.
    case signalbox(SignalboxError)

    /// The error of an unsuccessful response.
    init(_ response: APIClient.Response) {
        switch (response.status, Problem(response.body).code) {
        case (401, .some): self = .unauthenticated
        case (403, "permission_denied"): self = .permissionDenied
        case (404, .some): self = .notFound
        case (_, "quota_exceeded"): self = .quotaExceeded
        case (460, _), (_, "checksum_mismatch"): self = .checksum
        default: self = .signalbox(response.error)
        }
    }

    init(_ failure: AppRequests.Failure) {
        switch failure {
        case .appUnknown: self = .appUnknown
        case .sessionEnded: self = .unauthenticated
        case .userChanged: self = .userChanged
        case .other(let error): self = .signalbox(error)
        }
    }

    /// The reason of a write that found the disk full.
    static let noSpace = "The disk is full."

    /// The error of a call on a file of this device.
    init(_ error: any Error, on file: URL) {
        let cause = error as NSError
        let isFull = cause.domain == NSCocoaErrorDomain && cause.code == CocoaError.Code.fileWriteOutOfSpace.rawValue
        self = .fileUnusable(path: file.path, reason: isFull ? FilesError.noSpace : error.localizedDescription)
    }

    /// Whether another attempt may succeed without any change.
    var isTransient: Bool {
        switch self {
        case .signalbox(.unreachable), .signalbox(.busy), .signalbox(.unexpectedResponse): true
        default: false
        }
    }

    /// The seconds before which the daemon wants no other attempt.
    var retryAfter: TimeInterval? {
        if case .signalbox(.busy(let seconds)) = self { return seconds }
        return nil
    }

    /// Whether an upload can go on later.
    var isResumable: Bool {
        switch self {
        case .cancelled, .unauthenticated, .userChanged, .signalbox(.closed): true
        default: isTransient
        }
    }
}

extension Backoff {
    /// Waits after a failure until the next attempt.
    mutating func pause(after error: FilesError) async throws(FilesError) {
        do {
            try await pause(retryAfter: error.retryAfter)
        } catch {
            throw .cancelled
        }
    }
}
