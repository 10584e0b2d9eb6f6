import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request to the daemon and what came back.
struct Exchange: Sendable {
    struct Answer: Sendable {
        var status: Int
        var body: Data
        var retryAfter: TimeInterval?
    }

    private let session: URLSession
    private let address: URL
    private let key: String

    init(address: URL, key: String) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
        self.address = address
        self.key = key
    }

    /// Posts JSON, small.
    func post(_ path: String, _ body: [UInt8]) async throws(SignalboxError) -> Answer {
        var request = URLRequest(url: address.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // A key may be for some apps alone.
        if let bundle = Bundle.main.bundleIdentifier { request.setValue(bundle, forHTTPHeaderField: "X-Bundle-Id") }
        request.httpBody = Data(body)
        if let small = gzip(body) {
            request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
            request.httpBody = small
        }
        return try await answer(to: request)
    }

    func close() {
        session.invalidateAndCancel()
    }

    private func answer(to request: URLRequest) async throws(SignalboxError) -> Answer {
        let (data, response, error) = await transfer(request)
        if let error { throw .unreachable(reason: error.localizedDescription) }
        guard let http = response as? HTTPURLResponse else { throw .unexpectedAnswer(status: 0, detail: "Is not HTTP.") }
        let retryAfter = http.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        return Answer(status: http.statusCode, body: data ?? Data(), retryAfter: retryAfter.map { max(0, $0) })
    }

    /// What `URLSession.data(for:)` does, which on Linux may stand still for ever: whoever cancels holds the task and waits for the session's queue,
    /// and on that queue the answer waits for the task.
    private func transfer(_ request: URLRequest) async -> (Data?, URLResponse?, (any Error)?) {
        let running = Locked<URLSessionTask?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: request) { continuation.resume(returning: ($0, $1, $2)) }
                running.withLock { $0 = task }
                task.resume()
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            DispatchQueue.global().async { running.withLock { $0 }?.cancel() }
        }
    }
}

/// A captive portal must not get the key, and what it answers is not the daemon's.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
