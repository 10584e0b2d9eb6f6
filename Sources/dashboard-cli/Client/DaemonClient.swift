// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Panes
import Platform

/// Sends requests to one daemon, with one key or over its control socket.
struct DaemonClient: Sendable {
    /// The daemon's host and port, or the path of its control socket, for people.
    let host: String
    private let url: String
    private let headers: [(name: String, value: String)]
    private let socketPath: String?
    private let client = HTTPClient()
    private static let patience = Duration.seconds(20)

    init(_ profile: Profile) {
        (host, url, socketPath) = (profile.host, profile.url, nil)
        headers = [("Authorization", "Bearer \(profile.key.revealed)")]
    }

    /// Creates the operator's client, who needs no key.
    init(controlSocket path: String) {
        (host, url, socketPath) = (path, "http://ingestd", path)
        headers = []
    }

    /// Returns the body of the response.
    func get(_ query: ReadRequest) async throws -> [UInt8] {
        if let json = query.json { return try await post(query.target, json: json) }
        var request = request("GET", query.target)
        request.timeout = DaemonClient.patience
        return try await exchange(request)
    }

    /// Returns the response to a query.
    func get<Response>(_ query: DaemonQuery<Response>) async throws -> Response {
        try query.response(try await get(query.request))
    }

    func post(_ path: String, json: [UInt8]) async throws -> [UInt8] {
        try await send("POST", path, json: json)
    }

    func send(_ method: String, _ path: String, json: [UInt8]) async throws -> [UInt8] {
        var request = request(method, path)
        request.headers.append(("Content-Type", "application/json"))
        request.body = json
        request.timeout = DaemonClient.patience
        return try await exchange(request)
    }

    /// Passes on the body as it arrives. `onBytes` applies backpressure. Silence longer than `patience` is a timeout.
    func stream(
        _ query: ReadRequest, headers: [(name: String, value: String)] = [], patience: Duration, onBytes: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws {
        var request = request("GET", query.target)
        request.headers += headers
        request.timeout = patience
        let response = try await reached { try await client.stream(request, onBytes: onBytes) }
        guard response.status == 200 else { throw RequestError(response, from: host) }
    }

    private func request(_ method: String, _ target: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(method, url + target, unixSocketPath: socketPath, headers: headers)
        request.connectTimeout = .seconds(5)
        return request
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> [UInt8] {
        let response = try await reached { try await client.request(request) }
        guard (200..<300).contains(response.status) else { throw RequestError(response, from: host) }
        return response.body
    }

    private func reached(_ exchange: () async throws -> HTTPClientResponse) async throws -> HTTPClientResponse {
        do {
            return try await exchange()
        } catch let error as HTTPClientError {
            throw RequestError(error, from: host)
        }
    }
}
