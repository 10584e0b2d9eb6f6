// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension DispatchQueue {
    /// What waits for files and programs does so on this queue's thread; who asks waits without one.
    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}
