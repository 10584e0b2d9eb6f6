// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Platform
import Testing

@testable import ingestd

/// A daemon whose responses are compared with their schemas.
struct Checked {
    private let daemon: RunningDaemon
    private let schema: JSONSchema

    init(_ daemon: RunningDaemon, _ schema: JSONSchema) {
        self.daemon = daemon
        self.schema = schema
    }

    /// Repeats the request while it is answered with `passing`, a temporary status.
    @discardableResult
    func check(
        _ method: String, _ pattern: String, at path: String? = nil, as role: Role, _ body: String? = nil, status: Int = 200,
        passing: Int? = nil
    ) async throws -> JSONValue {
        try await check(method, pattern, at: path, as: role, bytes: body.map { Array($0.utf8) }, status: status, passing: passing)
    }

    @discardableResult
    func check(
        _ method: String, _ pattern: String, at path: String? = nil, as role: Role, bytes: [UInt8]?, status: Int = 200, passing: Int? = nil
    ) async throws -> JSONValue {
        let path = path ?? pattern
        func ask() async throws -> HTTPClientResponse {
            if let bytes { try await daemon.send(method, path, as: role, bytes) } else { try await daemon.get(path, as: role) }
        }
        var answer = try await ask()
        while answer.status == passing { answer = try await ask() }
        #expect(answer.status == status, "\(method) \(path)")
        let value = try JSONValue(answer.body)
        let described = schema.value(
            "paths", pattern, method.lowercased(), "responses", "\(status)", "content", "application/json", "schema")
        #expect(!described.members.isEmpty, "\(method) \(pattern)")
        #expect(schema.problems(of: value, described) == [], "\(method) \(path)")
        if (200..<300).contains(status), let type = ResponseTypes.byOperation["\(method) \(pattern)"] {
            #expect(try ResponseTypes.losses(of: answer.body, as: type) == [], "\(method) \(path)")
        }
        return value
    }
}
