// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Sends requests over libcurl, each on a thread of its own while it lasts.
///
/// It follows no redirect, asks no proxy, keeps no cookie, and speaks http and https alone. Cancelling the task ends the exchange within a second.
package struct HTTPClient: Sendable {
    package init() {}

    /// The whole answer, up to the request's cap.
    package func request(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await perform(Transfer(request, onBytes: nil))
    }

    /// Hands the body of a 2xx answer on as it comes; the body of any other is in the response, like that of `request`.
    ///
    /// While `onBytes` works the sender waits, and when it throws the exchange ends with its error.
    package func stream(_ request: HTTPClientRequest, onBytes: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> HTTPClientResponse {
        try await perform(Transfer(request, onBytes: onBytes))
    }

    private func perform(_ transfer: Transfer) async throws -> HTTPClientResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A serial queue has a thread of its own. Those of a concurrent one are as many as there are cores, and tasks would wait for them.
                DispatchQueue(label: "http-client").async { continuation.resume(returning: transfer.run()) }
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }
}
