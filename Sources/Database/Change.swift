// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// A change to stored data. The writer of the file makes it inside a transaction.
package struct Change<Context>: WriteJob {
    package var app: AppID?
    /// The memory that the change holds while it waits.
    package var bytes = 0
    /// Whether consecutive changes with this flag form one unit that succeeds or fails as a whole.
    package var joins = false
    /// Whether the change removes data, so that it gets the spare space of a full disk.
    package var isRemoval = SpareSpace.isForRemoval
    package var body: @Sendable (Context) throws -> Void
    /// Called with nil when the change is durable, otherwise with the reason of its failure.
    package var done: @Sendable ((any Error)?) -> Void

    package init(
        app: AppID? = nil, bytes: Int = 0, joins: Bool = false, body: @escaping @Sendable (Context) throws -> Void,
        done: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.app = app
        self.bytes = bytes
        self.joins = joins
        self.body = body
        self.done = done
    }

    package var weight: JobWeight { JobWeight(items: 1, bytes: 256 + bytes) }

    package func respond(_ failure: (any Error)?) { done(failure) }

    package func reject(_ refusal: Refusal) { done(refusal) }

    /// Queues a change and returns its result once that is durable.
    ///
    /// `committed` is called before that on the writer's thread, so the calls are in the order of the commits.
    package static func result<T: Sendable>(
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

extension Refusal {
    package static func tooManyChanges(to what: String) -> Refusal {
        Refusal(.overloaded, "Too many changes to \(what) are queued for writing.", hint: "Send the request again later.", retryAfterSeconds: 1)
    }
}

/// Passes a change's result from the transaction to the response.
private final class ResultBox<T: Sendable>: Sendable {
    let value = Mutex<T?>(nil)
}
