// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A device that receives alerts and keeps them.
struct AlertListener: Sendable {
    private let api: TestClient
    private let keys: AppKeys
    private let token: String

    init(_ api: TestClient, _ keys: AppKeys, to topic: String) async throws {
        (self.api, self.keys) = (api, keys)
        token = try await MessagingWorld.stream(api, keys)
        let path = "/v1/topics/\(topic.replacing("$", with: "%24"))/subscribers/\(token)"
        #expect(try await api.request("PUT", path, key: keys.ingest).status == 403)
        #expect(try await api.request("PUT", path, key: keys.send).status == 204)
    }

    /// The same device with the next daemon on the same folder.
    func moved(to api: TestClient) -> AlertListener { AlertListener(api: api, keys: keys, token: token) }

    private init(api: TestClient, keys: AppKeys, token: String) {
        (self.api, self.keys, self.token) = (api, keys, token)
    }

    /// Waits for a number of alerts.
    func heard(_ count: Int) async throws -> [JSON] {
        let end = ContinuousClock.now + .seconds(60)
        var lines: [JSON] = []
        while lines.count < count, ContinuousClock.now < end {
            let text = try await api.get("/v1/stream?token=\(token)&poll=1", key: keys.send).text
            lines = try text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
        }
        try #require(lines.count >= count)
        return lines
    }
}
