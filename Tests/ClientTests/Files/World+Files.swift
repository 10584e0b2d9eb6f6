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
