import Synchronization

/// Lends readers to any thread, so that each keeps the memory it has grown.
package final class JSONParser: Sendable {
    /// As many idle readers as there are ever threads decoding at once.
    private static let idleLimit = 8
    private let idle = Mutex<[JSONReader]>([])

    package init() {}

    /// Runs `work` with a reader that nobody else uses meanwhile.
    package func withReader<R, E: Error>(_ work: (JSONReader) throws(E) -> R) throws(E) -> R {
        let reader = idle.withLock { $0.popLast() } ?? JSONReader()
        defer { take(back: reader) }
        return try work(reader)
    }

    private func take(back reader: JSONReader) {
        guard !reader.isOversized else { return }
        idle.withLock { if $0.count < Self.idleLimit { $0.append(reader) } }
    }
}
