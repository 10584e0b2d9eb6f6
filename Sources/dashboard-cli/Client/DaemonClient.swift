// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Panes
import Platform

/// Sends requests to one daemon with one key.
struct DaemonClient: Sendable {
    let profile: Profile
    private let client = HTTPClient()
    private static let patience = Duration.seconds(20)

    init(_ profile: Profile) {
        self.profile = profile
    }

    /// Returns the body of the response.
    func get(_ query: GetRequest) async throws -> [UInt8] {
        var request = request("GET", query.target)
        request.timeout = DaemonClient.patience
        return try await exchange(request)
    }

    /// Returns the response to a query.
    func get<Response>(_ query: DaemonQuery<Response>) async throws -> Response {
        try Response(response: try await get(query.request))
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
        _ query: GetRequest, headers: [(name: String, value: String)] = [], patience: Duration, onBytes: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws {
        var request = request("GET", query.target)
        request.headers += headers
        request.timeout = patience
        let response = try await reached { try await client.stream(request, onBytes: onBytes) }
        guard response.status == 200 else { throw RequestError(response, profile) }
    }

    private func request(_ method: String, _ target: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(method, profile.url + target, headers: [("Authorization", "Bearer \(profile.key.revealed)")])
        request.connectTimeout = .seconds(5)
        return request
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> [UInt8] {
        let response = try await reached { try await client.request(request) }
        guard (200..<300).contains(response.status) else { throw RequestError(response, profile) }
        return response.body
    }

    private func reached(_ exchange: () async throws -> HTTPClientResponse) async throws -> HTTPClientResponse {
        do {
            return try await exchange()
        } catch let error as HTTPClientError {
            throw RequestError(error, profile)
        }
    }
}
