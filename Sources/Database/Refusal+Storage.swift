// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

extension Refusal {
    /// Whether an error of a commit, or the rejection for it, says that the disk is full.
    package static func isFullDisk(_ error: any Error) -> Bool {
        if let refusal = error as? Refusal { return refusal.code == .storageFull }
        return (error as? SQLiteError)?.code.primary == .full || (error as? FileError)?.isFull == true
    }

    /// The rejection for a failed commit. It contains neither paths nor causes, because it is sent to clients.
    package static func storage(_ error: any Error) -> Refusal {
        isFullDisk(error)
            ? Refusal(
                .storageFull, "The disk is full; nothing of this request was stored.", hint: "Send the request again later.", retryAfterSeconds: 10)
            : Refusal(
                .storageFailed, "Storage failed; nothing of this request was stored.", hint: "Send the request again later.", retryAfterSeconds: 5)
    }
}
