// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One streaming request to the daemon.
///
/// It uses a delegate, because Foundation on Linux delivers an endless body in no other way.
final class StreamConnection: NSObject, URLSessionDataDelegate {
    private struct State {
        var lines = EventLines()
        /// The body of an error response, up to `mostWords` bytes.
        var words = Data()
        var failure: SignalboxError?
        /// Whether further bytes are ignored.
        var isDeaf = false
        var whenOver: CheckedContinuation<Void, Never>?
    }

    private static let mostWords = 64 << 10
    private let state = Locked(State())
    private let hear: @Sendable (EventLines.Event) -> Bool

    /// - Parameter onEvent: Called in order; returning `false` ends the connection, and later events are ignored.
    init(hear: @escaping @Sendable (EventLines.Event) -> Bool) {
        self.hear = hear
    }

    /// Returns when the daemon ends the stream, when `onEvent` returns `false`, or when the task is cancelled.
    ///
    /// - Parameter silence: Idle timeout in seconds.
    func run(_ request: URLRequest, silence: TimeInterval) async throws(SignalboxError) {
        let session = URLSession(configuration: Exchange.configuration(silence: silence), delegate: self, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let running = RunningTask()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.whenOver = continuation }
                running.start(session.dataTask(with: request))
            }
        } onCancel: {
            running.cancel()
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let events = read(data, of: dataTask.response), events.allSatisfy(hear) else {
            state.withLock { $0.isDeaf = true }
            return dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(state.withLock { $0.failure ?? StreamConnection.failure(task.response, $0.words, $0.isDeaf ? nil : error) })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Parses received bytes; returns `nil` to end the connection.
    private func read(_ data: Data, of response: URLResponse?) -> [EventLines.Event]? {
        state.withLock { state in
            if state.isDeaf { return nil }
            guard StreamConnection.isStream(response) else {
                state.words.append(data.prefix(StreamConnection.mostWords - state.words.count))
                return state.words.count < StreamConnection.mostWords ? [] : nil
            }
            let events = state.lines.read(data)
            if events == nil { state.failure = .unexpectedAnswer(status: 200, detail: "A stream event exceeds \(EventLines.longest) bytes.") }
            return events
        }
    }

    private func end(_ failure: SignalboxError?) {
        let continuation = state.withLock { state in
            defer { state.whenOver = nil }
            if state.whenOver != nil { state.failure = failure }
            state.isDeaf = true
            return state.whenOver
        }
        continuation?.resume()
    }

    private static func isStream(_ response: URLResponse?) -> Bool {
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else { return false }
        return http.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("text/event-stream") == true
    }

    private static func failure(_ response: URLResponse?, _ words: Data, _ error: (any Error)?) -> SignalboxError? {
        if let http = response as? HTTPURLResponse, !isStream(http) { return Exchange.Answer(http, words).trouble }
        return error.map { .unreachable(reason: $0.localizedDescription) }
    }
}
