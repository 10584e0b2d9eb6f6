// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// An HTTP client over libcurl with one thread for each running request.
///
/// It follows no redirects, uses no proxy or cookies, and supports http and https only. Cancelling the task ends the request within a second.
package struct HTTPClient: Sendable {
    package init() {}

    /// Sends a request and returns the response, up to the request's size limit.
    package func request(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await perform(Transfer(request, onBytes: nil))
    }

    /// Sends a request and streams the body of a 2xx response to `onBytes`. Other responses contain their body.
    ///
    /// `onBytes` applies backpressure; an error thrown by it ends the request.
    package func stream(_ request: HTTPClientRequest, onBytes: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> HTTPClientResponse {
        try await perform(Transfer(request, onBytes: onBytes))
    }

    private func perform(_ transfer: Transfer) async throws -> HTTPClientResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A serial queue has its own thread. A concurrent queue has as many threads as cores, and requests would wait for them.
                DispatchQueue(label: "http-client").async { continuation.resume(returning: transfer.run()) }
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }
}
