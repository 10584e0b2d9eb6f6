// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// Lets one piece of work of a kind be done at a time; whoever comes meanwhile is refused.
final class Gate: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let sentence: String

    /// `sentence` says what is being done.
    init(_ sentence: String) {
        self.sentence = sentence
    }

    func enter() throws(Refusal) {
        if isTaken.exchange(true, ordering: .acquiring) {
            throw Refusal(.overloaded, sentence, hint: "Ask again later.", retryAfterSeconds: 1)
        }
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }
}
