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
        session = URLSession(configuration: Exchange.configuration(silence: 30), delegate: NoRedirects(), delegateQueue: nil)
        self.address = address
        self.key = key
    }

    /// - Parameter silence: After so many seconds without a byte nobody is there any more.
    static func configuration(silence: TimeInterval) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = silence
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return configuration
    }

    /// A request with the key, and nothing in it.
    func request(_ method: String, _ path: String, query: [URLQueryItem] = []) -> URLRequest {
        let url = address.appendingPathComponent(path)
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        if !query.isEmpty { parts?.queryItems = query }
        var request = URLRequest(url: parts?.url ?? url)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        // A key may be for some apps alone.
        if let bundle = Bundle.main.bundleIdentifier { request.setValue(bundle, forHTTPHeaderField: "X-Bundle-Id") }
        return request
    }

    /// Posts JSON, small.
    func post(_ path: String, _ body: [UInt8]) async throws(SignalboxError) -> Answer {
        try await send("POST", path, body)
    }

    /// Sends JSON, small, where there is any.
    func send(_ method: String, _ path: String, _ body: [UInt8]?) async throws(SignalboxError) -> Answer {
        var request = request(method, path)
        guard let body else { return try await answer(to: request) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
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
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw .unreachable(reason: error.localizedDescription)
        }
        guard let http = response as? HTTPURLResponse else { throw .unexpectedAnswer(status: 0, detail: "Is not HTTP.") }
        return Answer(http, data)
    }
}

extension Exchange.Answer {
    init(_ response: HTTPURLResponse, _ body: Data) {
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        self.init(status: response.statusCode, body: body, retryAfter: retryAfter.map { max(0, $0) })
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
