// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// A change to stored things, made by the writer of their file inside one of its transactions.
struct Change<Context>: Sendable {
    /// The app it counts for and keeps the order of; nil for a change that waits for all that came before.
    var app: AppID?
    /// What it holds in memory while it waits.
    var bytes = 0
    /// Whether it may be made as one with those beside it that may, too: they all come to pass or none does.
    var joins = false
    var body: @Sendable (Context) throws -> Void
    /// Hears when the change is durable, or why it was not made.
    var done: @Sendable ((any Error)?) -> Void

    /// Has a change made by whoever is handed it, and answers with what it came to when that is durable.
    ///
    /// `committed` hears of it first, on the writer's thread, and so in the order of the commits.
    static func result<T: Sendable>(
        of body: @escaping @Sendable (Context) throws -> T, app: AppID? = nil, bytes: Int = 0, joins: Bool = false,
        committed: @escaping @Sendable (T) -> Void = { _ in }, madeBy add: (Change) -> Void
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let box = ResultBox<T>()
            add(
                Change(app: app, bytes: bytes, joins: joins) { context in
                    let value = try body(context)
                    box.value.withLock { $0 = value }
                } done: { error in
                    if let value = box.value.withLock({ $0 }), error == nil {
                        committed(value)
                        continuation.resume(returning: value)
                    } else {
                        continuation.resume(throwing: error ?? StoreError.stopped)
                    }
                })
        }
    }
}

/// Carries a change's result from where it is made to where it is told.
private final class ResultBox<T: Sendable>: Sendable {
    let value = Mutex<T?>(nil)
}
