// SPDX-License-Identifier: Apache-2.0

import Functions
import Messaging

/// The functions with due runs, apart by what carries them out: requests to addresses, or messages on topics.
final class DueFunctions {
    let requests = DueOrigins()
    let publications = DueOrigins()
    private var ofTopics: Set<Int64> = []

    /// Notes the target of a function that was created or replaced.
    func note(_ function: Int64, _ target: FunctionDefinition.Target) {
        if case .topic = target { ofTopics.insert(function) } else { ofTopics.remove(function) }
    }

    func forget(_ function: Int64) { ofTopics.remove(function) }

    /// Adds a function with a due run. Returns the queue that does not know of one so early.
    func add(_ function: Int64, due: Int64) -> DueOrigins? {
        let queue = ofTopics.contains(function) ? publications : requests
        return queue.add(function, due: due) && due < queue.announced ? queue : nil
    }
}
