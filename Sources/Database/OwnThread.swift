// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs a blocking closure off the concurrency pool and returns its result.
package func onOwnThread<T: Sendable, E: Error>(_ name: String, _ body: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
    let result: Result<T, E> = await withCheckedContinuation { continuation in
        DispatchQueue(label: name).async {
            continuation.resume(returning: Result(catching: body))
        }
    }
    return try result.get()
}
