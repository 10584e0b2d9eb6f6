// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Lets one piece of work of a kind be done at a time; whoever comes meanwhile is refused.
package final class Gate: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let sentence: String

    /// `sentence` says what is being done.
    package init(_ sentence: String) {
        self.sentence = sentence
    }

    package func enter() throws(Refusal) {
        if isTaken.exchange(true, ordering: .acquiring) {
            throw Refusal(.overloaded, sentence, hint: "Ask again later.", retryAfterSeconds: 1)
        }
    }

    package func leave() {
        isTaken.store(false, ordering: .releasing)
    }
}
