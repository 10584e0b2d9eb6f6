// SPDX-License-Identifier: Apache-2.0

import FileStore
import Files
import Platform

/// The only place where errors of the file store become refusals.
extension Refusal {
    /// Returns what a body returns; an error of the file store becomes its refusal.
    static func ofFiles<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await DenialTime.uniform(body) } catch let fault as FileFault { throw Refusal(fault) }
    }

    init(_ fault: FileFault) {
        switch fault {
        case .notFound: self.init(.notFound, "There is no such file.")
        case .denied: self = .deniedByRules
        case .invalidDetail(let part): self = .field(part, "bad_value", "cannot be stored: it is too long, or has characters that it may not have")
        case .conditionFailed: self.init(.preconditionFailed, "The file is not in the state that the request depends on.")
        case .appQuotaExceeded:
            self.init(.quotaExceeded, "The app has no space left for this file.", hint: "Delete files, or raise files.app_size.")
        case .userQuotaExceeded: self.init(.quotaExceeded, "The user has no space left for this file.", hint: "Delete files of the user.")
        case .tooLarge, .upload(.tooLong): self.init(.tooLarge, "The file is larger than allowed or declared.")
        case .tooManyUploads:
            self.init(.limitReached, "Too many uploads are open.", hint: "Finish or end some of them.", retryAfterSeconds: 60)
        case .tooManyLinks:
            self.init(.limitReached, "The file has too many revocable links.", hint: "Revoke some, or let them end.", retryAfterSeconds: 3_600)
        case .diskReserve:
            self.init(.storageFull, "The disk has no space for uploads.", hint: "Send the request again later.", retryAfterSeconds: 60)
        case .uploadGone, .upload(.closed): self.init(.notFound, "There is no such upload.", hint: "Begin it again.")
        case .superseded: self.init(.conflict, "Another request goes on with the upload.")
        case .checksumMismatch: self.init(.checksumMismatch, "The bytes do not have the checksum that was sent.", hint: "Send the file again.")
        case .upload(.wrongOffset(let received)), .upload(.incomplete(let received)):
            self.init(.conflict, "\(received) bytes were received.", hint: "Go on from there.")
        }
    }
}
