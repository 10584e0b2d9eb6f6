// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension DispatchQueue {
    /// Runs blocking work on this queue, without blocking a thread of the shared pool.
    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}
