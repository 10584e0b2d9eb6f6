// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client of a daemon: its addresses, and requests in one call.
package struct TestClient: Sendable {
    package var port: UInt16
    package var controlSocket: String

    package init(port: UInt16, controlSocket: String) {
        self.port = port
        self.controlSocket = controlSocket
    }

    package func connect() throws -> HTTPConnection {
        try HTTPConnection(.port(port))
    }

    /// Sends a request on a new connection.
    package func request(
        _ method: String, _ target: String, key: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil
    ) async throws -> Reply {
        let bytes = TestClient.bytes(method, target, key: key, headers: headers, body: body)
        return try await HTTPConnection(.port(port)).exchange(bytes, toHead: method == "HEAD")
    }

    package func get(_ target: String, key: String? = nil) async throws -> Reply {
        try await request("GET", target, key: key)
    }

    package func post(_ target: String, key: String? = nil, headers: [String: String] = [:], _ body: String) async throws -> Reply {
        try await request("POST", target, key: key, headers: ["Content-Type": "application/json"].merging(headers) { $1 }, body: Array(body.utf8))
    }

    /// Sends a request through the control socket, as an operator.
    package func asOperator(_ method: String, _ target: String, _ body: String? = nil) async throws -> Reply {
        let bytes = TestClient.bytes(method, target, headers: ["Content-Type": "application/json"], body: body.map { Array($0.utf8) })
        return try await HTTPConnection(.file(controlSocket)).exchange(bytes, toHead: method == "HEAD")
    }

    package static func bytes(
        _ method: String, _ target: String, key: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"]
        if let key { lines.append("Authorization: Bearer \(key)") }
        lines += headers.map { "\($0.key): \($0.value)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    /// Creates an app with a key for each role.
    package func makeApp(_ name: String = "shop") async throws -> AppKeys {
        let answer = try await asOperator("POST", "/v1/apps", #"{"name": "\#(name)"}"#)
        return try AppKeys(answer)
    }
}

/// An app and its keys, as returned when it was created.
package struct AppKeys: Sendable {
    package var app: Int64
    package var ingest: String
    package var read: String
    package var send: String
    package var admin: String

    package var all: [String] { [ingest, read, send, admin] }

    init(_ answer: Reply) throws {
        let made = try JSON(answer)
        app = Int64(made["app"].number)
        let keys = made["keys"]
        ingest = keys["ingest"].text
        read = keys["read"].text
        send = keys["send"].text
        admin = keys["admin"].text
    }
}

/// A JSON document with lenient access. A missing value is empty, so the expectation fails instead of the access.
package struct JSON {
    private let value: Any

    private init(value: Any) {
        self.value = value
    }

    package init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    package init(_ answer: Reply) throws {
        try self.init(answer.body)
    }

    package subscript(name: String) -> JSON { JSON(value: (value as? [String: Any])?[name] ?? NSNull()) }
    package subscript(index: Int) -> JSON {
        guard let list = value as? [Any], list.indices.contains(index) else { return JSON(value: NSNull()) }
        return JSON(value: list[index])
    }
    package var items: [JSON] { (value as? [Any])?.map(JSON.init(value:)) ?? [] }
    package var number: Int { (value as? NSNumber)?.intValue ?? .min }
    package var text: String { value as? String ?? "" }
    package var bool: Bool { value as? Bool ?? false }
    package var exists: Bool { !(value is NSNull) }
    /// The value as JSON.
    package var source: String {
        (try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    package var names: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
}

/// The counts in the response of every intake request.
package struct Taken: Equatable, Sendable {
    package var status = 200
    package var accepted = 0
    package var duplicates = 0
    package var quarantined = 0

    package init(accepted: Int = 0, duplicates: Int = 0, quarantined: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.quarantined = quarantined
    }

    package init(_ answer: Reply) throws {
        let json = try JSON(answer)
        status = answer.status
        accepted = json["accepted"].number
        duplicates = json["duplicates"].number
        quarantined = json["quarantined"].number
    }
}
