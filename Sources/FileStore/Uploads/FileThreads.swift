// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Threads that wait for the disk, so that neither event loops nor the concurrency pool do.
///
/// Each upload has at most one step here, and uploads are bounded.
final class FileThreads: Sendable {
    private let queues = (0..<4).map { DispatchQueue(label: "signalbox.files.\($0)", qos: .utility) }
    private let last = Atomic(0)

    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let queue = queues[last.wrappingAdd(1, ordering: .relaxed).newValue & 3]
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
