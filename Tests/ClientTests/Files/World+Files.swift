// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

extension World {
    private static let fileRules = """
        rules_version = '2';
        service firebase.storage {
          match /b/{bucket}/o {
            match /users/{uid}/{file=**} { allow read, write: if request.auth.uid == uid; }
            match /open/{file=**} { allow read, write: if true; }
          }
        }
        """

    func setFileRules() async throws {
        var json = JSONText()
        json.object { $0.field("source", World.fileRules) }
        let reply = try await api.request(
            "PUT", "/v1/files-rules", key: keys.admin, headers: ["Content-Type": "application/json"], body: json.bytes)
        try #require(reply.status / 100 == 2, "\(reply.text)")
    }

    /// Lets new files below `open/scanned/` wait for a function that is not there.
    func setPendingRules() async throws {
        let rules = #"{"rules": [{"prefix": "open/scanned/", "pending_until": "scan"}]}"#
        let reply = try await api.request(
            "PUT", "/v1/files:pending", key: keys.admin, headers: ["Content-Type": "application/json"], body: Array(rules.utf8))
        try #require(reply.status == 200, "\(reply.text)")
    }

    /// The files that wait, as the paths and checksums of the daemon's list.
    func pendingFiles() async throws -> [String: String] {
        let items = try await JSON(api.get("/v1/files:pending", key: keys.admin))["items"].items
        return Dictionary(items.map { ($0["file"]["path"].text, $0["file"]["crc32c"].text) }) { $1 }
    }

    /// Bytes that do not repeat within a piece.
    static func bytes(_ count: Int) -> Data {
        var state: UInt64 = 88_172_645_463_325_252
        var data = Data(capacity: count + 8)
        while data.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}
