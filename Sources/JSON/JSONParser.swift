// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lends readers to any thread, so that each keeps the memory it has grown.
package final class JSONParser: Sendable {
    /// As many idle readers as there are ever threads decoding at once.
    private static let idleLimit = 8
    private let idle = Mutex<[JSONReader]>([])
    private let memory: JSONMemory?

    /// - Parameter memory: Where the memory of large documents' tokens is taken from; nil for no bound.
    package init(memory: JSONMemory? = nil) {
        self.memory = memory
    }

    /// Runs `work` with a reader that nobody else uses meanwhile.
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

/// A budget of memory that documents share with whatever else it is for.
package struct JSONMemory: Sendable {
    let take: @Sendable (Int) -> Bool
    let giveBack: @Sendable (Int) -> Void

    package init(take: @escaping @Sendable (Int) -> Bool, giveBack: @escaping @Sendable (Int) -> Void) {
        self.take = take
        self.giveBack = giveBack
    }
}
