// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Platform

/// A response of the daemon to a command.
typealias ControlReply = JSONValue

/// A client of the daemon's control socket: the public routes, with the operator's role.
struct ControlSocket: Sendable {
    let path: String

    /// No daemon serves the folder, and the request was not accepted.
    struct NoDaemonError: Error {}

    func get(_ target: String) async throws -> ControlReply {
        try await response(to: request("GET", target))
    }

    /// All items of a list, page by page.
    func items(_ target: String) async throws -> [ControlReply] {
        var items: [ControlReply] = []
        var after: String? = "0"
        while let cursor = after {
            let page = try await get("\(target)?limit=1000&after=\(cursor.percentEncoded)")
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        }
        return items
    }

    func delete(_ target: String) async throws {
        _ = try await checked(request("DELETE", target))
    }

    /// Deletes what a path names. Returns the refusal of a path that names nothing; other refusals are thrown.
    func deleteIfThere(_ target: String) async throws -> Failure? {
        let response = try await connected { try await HTTPClient().request(request("DELETE", target)) }
        if [404, 422].contains(response.status) { return try failure(reply(response)) }
        try check(response)
        return nil
    }

    /// Sends a request without a body whose response has none.
    func sendWithoutReply(_ method: String, _ target: String) async throws {
        _ = try await checked(request(method, target))
    }

    /// Sends a JSON body. Long operations pass a longer timeout.
    func send(_ method: String, _ target: String, timeout: Duration = .seconds(60), _ build: (inout JSONWriter) -> Void) async throws -> ControlReply
    {
        var json = JSONWriter()
        json.beginObject()
        build(&json)
        json.endObject()
        return try await send(method, target, json.bytes, type: "application/json", timeout: timeout)
    }

    /// Sends a body of any type.
    func send(_ method: String, _ target: String, _ body: [UInt8], type: String, timeout: Duration) async throws -> ControlReply {
        var request = request(method, target)
        request.headers = [("Content-Type", type)]
        request.body = body
        request.timeout = timeout
        return try await response(to: request)
    }

    /// Calls a function. Returns the status with the body, which is that of a result or of an error.
    func call(_ target: String, _ body: [UInt8], within limit: Duration) async throws -> (status: Int, ControlReply) {
        var request = request("POST", target)
        (request.headers, request.body, request.timeout) = ([("Content-Type", "application/json")], body, limit)
        let response = try await connected { [request] in try await HTTPClient().request(request) }
        return (response.status, try reply(response))
    }

    /// Sends a request with header fields, and returns a response that is not refused.
    func exchange(_ method: String, _ target: String, _ headers: [(name: String, value: String)], _ body: [UInt8] = []) async throws
        -> HTTPClientResponse
    {
        var request = request(method, target)
        (request.headers, request.body) = (headers, body)
        return try await checked(request)
    }

    /// All revisions of rules, newest first.
    func ruleRevisions(_ target: String) async throws -> [ControlReply] {
        var (revisions, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let page = try await get("\(target)&limit=100" + (after.map { "&after=\($0.percentEncoded)" } ?? ""))
            revisions += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil
        return revisions
    }

    /// Streams a response of any length; the daemon waits while `onBytes` works.
    func stream(_ target: String, onBytes: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
        var request = request("GET", target)
        // A query over months may search long before its first event.
        request.timeout = .seconds(3_600)
        try check(try await connected { try await HTTPClient().stream(request, onBytes: onBytes) })
    }

    /// The outcome of a request for the bytes of a file.
    enum FileStream: Sendable {
        case whole
        /// The file was replaced or deleted.
        case changed
        /// The daemon could not read it.
        case refused(String)
    }

    /// Streams a file if it still has an entity tag.
    func streamFile(_ target: String, etag: String, onBytes: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> FileStream {
        var request = request("GET", target)
        (request.headers, request.timeout) = ([("If-Match", etag)], .seconds(600))
        let response = try await connected { [request] in try await HTTPClient().stream(request, onBytes: onBytes) }
        if [404, 412].contains(response.status) { return .changed }
        if response.status == 500 { return .refused(try reply(response).text("detail")) }
        try check(response)
        return .whole
    }

    /// Sends a body of any length. Returns why its contents were refused; nil if they were accepted.
    func sendFile(_ method: String, _ target: String, _ source: HTTPClientSource) async throws -> String? {
        var request = request(method, target)
        (request.source, request.timeout) = (source, .seconds(600))
        let response = try await connected { [request] in try await HTTPClient().request(request) }
        if [404, 413, 422].contains(response.status) { return try reply(response).text("detail") }
        try check(response)
        return nil
    }

    private func request(_ method: String, _ target: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(method, "http://ingestd\(target)", unixSocketPath: path)
        request.timeout = .seconds(60)
        request.maxResponseBytes = 64 << 20
        return request
    }

    private func response(to request: HTTPClientRequest) async throws -> ControlReply {
        try reply(try await checked(request))
    }

    private func checked(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let response = try await connected { try await HTTPClient().request(request) }
        try check(response)
        return response
    }

    private func reply(_ response: HTTPClientResponse) throws -> ControlReply {
        do {
            return try ControlReply(response.body)
        } catch {
            throw Failure("The response at the control socket did not come from ingestd.", hint: "If no daemon runs, remove the socket file.")
        }
    }

    private func connected(_ exchange: () async throws -> HTTPClientResponse) async throws -> HTTPClientResponse {
        do {
            return try await exchange()
        } catch let error as HTTPClientError where error.code == .couldNotConnect {
            throw NoDaemonError()
        }
    }

    private func check(_ response: HTTPClientResponse) throws {
        guard response.status >= 300 else { return }
        let problem = try reply(response)
        if problem.text("code") == Refusal.Code.draining.rawValue { throw NoDaemonError() }
        throw failure(problem)
    }

    private func failure(_ problem: ControlReply) -> Failure { Failure(ControlSocket.detail(of: problem), hint: problem["hint"]?.text) }

    /// The sentence of a problem. That test cases of rules failed is followed by their names and reasons.
    private static func detail(of problem: ControlReply) -> String {
        let detail = problem.text("detail")
        let failed = (problem["errors"]?.elements ?? []).filter { $0.text("code") == "failed" }.map { $0.text("message") }
        if failed.isEmpty { return detail }
        return (detail.hasSuffix(".") ? String(detail.dropLast()) : detail) + ": " + failed.joined(separator: "; ")
    }
}
