// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

extension Refusal {
    /// The rejection for a failed commit. It contains neither paths nor causes, because it is sent to clients.
    package static func storage(_ error: any Error) -> Refusal {
        let full = (error as? SQLiteError)?.code.primary == .full || (error as? FileError)?.isFull == true
        return full
            ? Refusal(
                .storageFull, "The disk is full; nothing of this request was stored.", hint: "Send the request again later.", retryAfterSeconds: 10)
            : Refusal(
                .storageFailed, "Storage failed; nothing of this request was stored.", hint: "Send the request again later.", retryAfterSeconds: 5)
    }
}
