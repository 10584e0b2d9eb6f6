// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request for the daemon's stream, from its head to its end.
///
/// On Linux a body that does not end comes through a delegate alone.
final class StreamConnection: NSObject, URLSessionDataDelegate {
    private struct State {
        var lines = EventLines()
        /// Of an answer that is no stream, as much as says why.
        var words = Data()
        var failure: SignalboxError?
        /// Nothing is heard any more.
        var isDeaf = false
        var whenOver: CheckedContinuation<Void, Never>?
    }

    private static let mostWords = 64 << 10
    private let state = Locked(State())
    private let hear: @Sendable (EventLines.Event) -> Bool

    /// - Parameter hear: Called in order; with false the connection ends, and nothing behind it is heard.
    init(hear: @escaping @Sendable (EventLines.Event) -> Bool) {
        self.hear = hear
    }

    /// Returns when the daemon ends the stream, when nobody wants to hear more, or when the task is cancelled.
    ///
    /// - Parameter silence: After so many seconds without a byte nobody is there any more.
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

    /// What has come; nil where nothing more is of interest.
    private func read(_ data: Data, of response: URLResponse?) -> [EventLines.Event]? {
        state.withLock { state in
            if state.isDeaf { return nil }
            guard StreamConnection.isStream(response) else {
                state.words.append(data.prefix(StreamConnection.mostWords - state.words.count))
                return state.words.count < StreamConnection.mostWords ? [] : nil
            }
            let events = state.lines.read(data)
            if events == nil { state.failure = .unexpectedAnswer(status: 200, detail: "A message without an end.") }
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
