// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Sends requests to the daemon and returns its responses: by a ``CurlLoop`` on Linux, and otherwise by a session.
package struct APIClient: Sendable {
    package struct Response: Sendable {
        package var status: Int
        package var body: Data
        package var retryAfter: TimeInterval?
        /// Header fields by lower-case name.
        var fields: [String: String] = [:]
    }

    private struct State {
        /// `nil` after `close`: using an invalidated session terminates the process.
        var session: URLSession?
        var running: Set<RunningTask> = []
    }

    /// The end of a request. There is no response if the daemon was not reached.
    private struct End: Sendable {
        var body = Data()
        var response: URLResponse?
        var failure: String?
    }

    private let state: Locked<State>
    #if canImport(Glibc)
        /// `nil` if it cannot be made; the session is used then.
        private let loop: CurlLoop?
    #endif
    private let address: URL
    private let key: String
    private let silence: TimeInterval
    private let longestResponse: Int
    private let mayRepeat: Bool

    /// - Parameters:
    ///   - silence: Idle timeout in seconds.
    ///   - longestResponse: The limit of a response's body in bytes.
    ///   - mayRepeat: Whether a request may be sent again if a kept connection ends without a response. Only on Linux it can be avoided.
    package init(
        address: URL, key: String, silence: TimeInterval = 30, longestResponse: Int = 256 << 20, mayRepeat: Bool = true
    ) {
        (self.address, self.key, self.silence, self.longestResponse) = (address, key, silence, longestResponse)
        self.mayRepeat = mayRepeat
        #if canImport(Glibc)
            loop = CurlLoop()
            state = Locked(State(session: loop == nil ? URLSession(configuration: APIClient.configuration(silence: silence)) : nil))
        #else
            state = Locked(State(session: URLSession(configuration: APIClient.configuration(silence: silence))))
        #endif
    }

    /// - Parameter silence: Idle timeout in seconds.
    static func configuration(silence: TimeInterval) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = silence
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return configuration
    }

    /// Whether an ID is one segment of a URL path. Others, such as an empty one or `..`, would make a request of another route.
    static func isSegment(_ id: String) -> Bool {
        !["", ".", ".."].contains(id) && !id.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7f }
    }

    /// Creates an authorized request without a body.
    ///
    /// - Parameter token: An ID token, sent in place of the key.
    package func request(_ method: String, _ path: String, query: [URLQueryItem] = [], token: String? = nil) -> URLRequest {
        let url = address.appendingPathComponent(path)
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        if !query.isEmpty {
            parts?.queryItems = query
            // Foundation leaves a plus, which servers take for a space.
            let encoded = parts?.percentEncodedQuery
            parts?.percentEncodedQuery = encoded?.replacingOccurrences(of: "+", with: "%2B")
        }
        var request = URLRequest(url: parts?.url ?? url)
        request.httpMethod = method
        request.setValue("Bearer \(token ?? key)", forHTTPHeaderField: "Authorization")
        // A key may be restricted to bundle IDs.
        if let bundle = Bundle.main.bundleIdentifier { request.setValue(bundle, forHTTPHeaderField: "X-Bundle-Id") }
        return request
    }

    /// Posts JSON, compressed.
    package func post(_ path: String, _ body: [UInt8], token: String? = nil) async throws(SignalboxError) -> Response {
        try await send("POST", path, body, token: token)
    }

    /// Sends a request with an optional compressed JSON body.
    package func send(_ method: String, _ path: String, _ body: [UInt8]?, token: String? = nil) async throws(SignalboxError) -> Response {
        var request = request(method, path, token: token)
        guard let body else { return try await perform(request) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body)
        if let small = gzip(body) {
            request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
            request.httpBody = small
        }
        return try await perform(request)
    }

    /// Cancels all requests.
    ///
    /// On Linux `invalidateAndCancel()` reads the session's tasks while others are removed, which can terminate the process.
    package func close() {
        #if canImport(Glibc)
            loop?.stop()
        #endif
        let (session, running) = state.withLock { state in
            defer { state = State() }
            return (state.session, state.running)
        }
        session?.finishTasksAndInvalidate()
        for task in running { task.cancel() }
    }

    func perform(_ request: URLRequest) async throws(SignalboxError) -> Response {
        guard let end = await end(of: request) else { throw .closed }
        let http = end.response as? HTTPURLResponse
        if end.body.count > longestResponse {
            throw .unexpectedResponse(status: http?.statusCode ?? 0, detail: "The response exceeds \(longestResponse) bytes.")
        }
        if let failure = end.failure { throw .unreachable(reason: failure) }
        guard let http else { throw .unexpectedResponse(status: 0, detail: "The response is not HTTP.") }
        return Response(http, end.body)
    }

    /// Sends a request; returns `nil` if the client is closed.
    private func end(of request: URLRequest) async -> End? {
        #if canImport(Glibc)
            if let loop { return await end(of: request, over: loop) }
        #endif
        let running = RunningTask()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = start(request, running) { continuation.resume(returning: $0) }
                if !isStarted { continuation.resume(returning: nil) }
            }
        } onCancel: {
            running.cancel()
        }
    }

    #if canImport(Glibc)
        private func end(of request: URLRequest, over loop: CurlLoop) async -> End? {
            let body = Locked(Data())
            let end = await loop.run(
                request, silence: silence, acceptsEncodings: true, mayRepeat: mayRepeat
            ) { [longestResponse] data, _ in
                body.withLock { body in
                    body.append(data)
                    return body.count <= longestResponse
                }
            }
            return end.map { End(body: body.withLock { $0 }, response: $0.response, failure: $0.failure) }
        }
    #endif

    /// Starts a request over the session, unless the client is closed.
    private func start(_ request: URLRequest, _ running: RunningTask, _ onEnd: @escaping @Sendable (End) -> Void) -> Bool {
        let made = state.withLock { state -> (task: URLSessionDataTask, session: URLSession)? in
            guard let session = state.session else { return nil }
            state.running.insert(running)
            let task = session.dataTask(with: request) { [state = self.state] data, response, error in
                running.end()
                _ = state.withLock { $0.running.remove(running) }
                onEnd(End(body: data ?? Data(), response: response, failure: error?.localizedDescription))
            }
            return (task, session)
        }
        guard let made else { return false }
        running.start(made.task, of: made.session)
        return true
    }
}

extension APIClient.Response {
    init(_ response: HTTPURLResponse, _ body: Data) {
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields { fields[name.lowercased()] = value }
        self.init(status: response.statusCode, body: body, retryAfter: retryAfter.map { max(0, $0) }, fields: fields)
    }
}
