// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// A non-blocking mutual exclusion for long operations. A second caller is rejected instead of waiting.
package final class Gate: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let sentence: String

    /// - Parameter sentence: The detail of the rejection, which names the operation in progress.
    package init(_ sentence: String) {
        self.sentence = sentence
    }

    package func enter() throws(Refusal) {
        if isTaken.exchange(true, ordering: .acquiring) {
            throw Refusal(.overloaded, sentence, hint: "Send the request again later.", retryAfterSeconds: 1)
        }
    }

    package func leave() {
        isTaken.store(false, ordering: .releasing)
    }
}
