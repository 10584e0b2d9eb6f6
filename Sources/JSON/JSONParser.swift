// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A pool of readers for any thread. Each reader keeps its memory between documents.
package final class JSONParser: Sendable {
    /// The number of idle readers to keep: as many as threads decode at once.
    private static let idleLimit = 8
    private let idle = Mutex<[JSONReader]>([])
    private let memory: JSONMemory?

    /// - Parameter memory: The budget for the tokens of large documents; nil for none.
    package init(memory: JSONMemory? = nil) {
        self.memory = memory
    }

    /// Calls `work` with a reader that no other caller uses meanwhile.
    package func withReader<R, E: Error>(_ work: (JSONReader) throws(E) -> R) throws(E) -> R {
        let reader = idle.withLock { $0.popLast() } ?? JSONReader(memory)
        defer { take(back: reader) }
        return try work(reader)
    }

    private func take(back reader: JSONReader) {
        reader.giveBackMemory()
        guard !reader.isOversized else { return }
        idle.withLock { if $0.count < Self.idleLimit { $0.append(reader) } }
    }
}

/// A memory budget that documents share with other uses.
package struct JSONMemory: Sendable {
    let take: @Sendable (Int) -> Bool
    let giveBack: @Sendable (Int) -> Void

    package init(take: @escaping @Sendable (Int) -> Bool, giveBack: @escaping @Sendable (Int) -> Void) {
        self.take = take
        self.giveBack = giveBack
    }
}
