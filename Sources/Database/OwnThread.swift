// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Does something that blocks on a thread of its own, and answers when that has ended.
package func onOwnThread<T: Sendable, E: Error>(_ name: String, _ body: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
    let result: Result<T, E> = await withCheckedContinuation { continuation in
        DispatchQueue(label: name).async {
            continuation.resume(returning: Result(catching: body))
        }
    }
    return try result.get()
}
