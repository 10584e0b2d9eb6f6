// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// One streaming request to the daemon: by a ``CurlLoop`` of its own on Linux, and otherwise by a session with a delegate.
package final class StreamConnection: NSObject, URLSessionDataDelegate {
    private struct State {
        var parser: ServerSentEventParser
        /// The body of an error response, up to `maxErrorBytes` bytes.
        var errorBody = Data()
        var failure: SignalboxError?
        /// The response, if it is not a stream.
        var rejection: APIClient.Response?
        /// Whether further bytes are ignored.
        var isIgnoring = false
        var completion: CheckedContinuation<Void, Never>?
    }

    private static let maxErrorBytes = 64 << 10
    private let longestEvent: Int
    private let state: Locked<State>
    private let running = RunningTask()
    private let onEvent: @Sendable (ServerSentEventParser.Event) -> Bool

    /// - Parameter onEvent: Called in order; returning `false` ends the connection, and later events are ignored.
    package init(
        longestEvent: Int = ServerSentEventParser.longest, onEvent: @escaping @Sendable (ServerSentEventParser.Event) -> Bool
    ) {
        (self.longestEvent, self.onEvent) = (longestEvent, onEvent)
        state = Locked(State(parser: ServerSentEventParser(longest: longestEvent)))
    }

    /// The response, if it was not a stream.
    package var rejection: APIClient.Response? { state.withLock { $0.rejection } }

    /// Returns when the daemon ends the stream, when `onEvent` returns `false`, or when the task is cancelled.
    ///
    /// - Parameter silence: Idle timeout in seconds.
    package func run(_ request: URLRequest, silence: TimeInterval) async throws(SignalboxError) {
        #if canImport(Glibc)
            if let loop = CurlLoop() { return try await run(request, silence: silence, over: loop) }
        #endif
        let session = URLSession(configuration: APIClient.configuration(silence: silence), delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.completion = continuation }
                running.start(session.dataTask(with: request), of: session)
            }
        } onCancel: {
            running.cancel()
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    #if canImport(Glibc)
        private func run(_ request: URLRequest, silence: TimeInterval, over loop: CurlLoop) async throws(SignalboxError) {
            defer { loop.stop() }
            let end = await loop.run(request, silence: silence, acceptsEncodings: false) { [self] data, response in take(data, of: response) }
            if let failure = failure(after: end?.response, end?.failure) { throw failure }
        }
    #endif

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if !take(data, of: dataTask.response) { dataTask.cancel() }
    }

    package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        running.end()
        end(failure(after: task.response, error?.localizedDescription))
    }

    /// Passes the events of received bytes on; returns `false` to end the connection.
    private func take(_ data: Data, of response: URLResponse?) -> Bool {
        if let events = read(data, of: response), events.allSatisfy(onEvent) { return true }
        state.withLock { $0.isIgnoring = true }
        return false
    }

    /// - Parameter reason: The failure of the transfer.
    private func failure(after response: URLResponse?, _ reason: String?) -> SignalboxError? {
        state.withLock { state in
            state.rejection = StreamConnection.rejection(response, state.errorBody)
            return state.failure ?? state.rejection?.error ?? (state.isIgnoring ? nil : reason).map { .unreachable(reason: $0) }
        }
    }

    /// Parses received bytes; returns `nil` to end the connection.
    private func read(_ data: Data, of response: URLResponse?) -> [ServerSentEventParser.Event]? {
        state.withLock { state in
            if state.isIgnoring { return nil }
            guard StreamConnection.isStream(response) else {
                state.errorBody.append(data.prefix(StreamConnection.maxErrorBytes - state.errorBody.count))
                return state.errorBody.count < StreamConnection.maxErrorBytes ? [] : nil
            }
            let events = state.parser.read(data)
            if events == nil {
                state.failure = .unexpectedResponse(status: 200, detail: "A stream event exceeds \(longestEvent) bytes.")
            }
            return events
        }
    }

    private func end(_ failure: SignalboxError?) {
        let continuation = state.withLock { state in
            defer { state.completion = nil }
            if state.completion != nil { state.failure = failure }
            state.isIgnoring = true
            return state.completion
        }
        continuation?.resume()
    }

    private static func isStream(_ response: URLResponse?) -> Bool {
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else { return false }
        return http.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("text/event-stream") == true
    }

    private static func rejection(_ response: URLResponse?, _ errorBody: Data) -> APIClient.Response? {
        guard let http = response as? HTTPURLResponse, !isStream(http) else { return nil }
        return APIClient.Response(http, errorBody)
    }
}
