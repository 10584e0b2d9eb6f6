// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// An app with users, a key with the role `data`, and security rules.
enum RuleWorld {
    static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} {
              allow read, write: if request.auth != null && request.auth.uid == uid;
            }
            match /posts/{id} {
              allow read: if resource.data.open == true;
              allow create: if request.auth.token.email == 'ana@example.org' && request.resource.data.by == request.auth.uid;
              allow update: if exists(/databases/$(database)/documents/editors/$(request.auth.uid))
                && request.resource.data.n == resource.data.n + 1;
            }
            match /counters/{id} { allow write: if getAfter(/databases/$(database)/documents/locks/$(id)).data.open; }
            match /locks/{id} { allow write; }
          }
        }
        """

    static func use(
        configure: @escaping (inout Configuration) -> Void = { _ in }, _ body: @Sendable (AccountWorld, DocumentClient) async throws -> Void
    ) async throws {
        try await AccountWorld.use(configure: configure) { world in
            let made = try await world.live.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", #"{"role": "data"}"#)
            try await body(world, DocumentClient(live: world.live, keys: world.keys, key: try JSON(made)["key"].text))
        }
    }

    static func set(_ rules: String, _ client: DocumentClient, key: String? = nil, more: String = "") async throws -> Reply {
        let source = rules.replacing("\n", with: "\\n")
        return try await client.live.api.request(
            "PUT", "/v1/documents:rules", key: key ?? client.keys.admin, body: Array(#"{"source": "\#(source)"\#(more)}"#.utf8))
    }

    static func commit(_ write: String, _ client: DocumentClient, _ key: String) async throws -> Int {
        try await client.send("commit", #"{"writes": [\#(write)]}"#, key: key).status
    }
}
