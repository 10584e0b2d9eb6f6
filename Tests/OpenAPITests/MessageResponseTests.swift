// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import ingestd

/// Responses about devices, topics, messages and deliveries.
extension ResponseTests {
    @Test func `responses about messages match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use(configure: { $0.mode = .development }) { daemon in
            let daemon = Checked(daemon, schema)
            let phone =
                #"{"token": "phone-0001", "platform": "ios", "installation_id": "i", "user_id": "u", "app_version": "1", "endpoint": {"type": "stream"}}"#
            let hook =
                #"{"token": "server-0001", "platform": "server", "endpoint": {"type": "webhook", "url": "http://127.0.0.1:9/x", "scheme": "v1a"}}"#
            try await daemon.check("POST", "/v1/devices", as: .ingest, phone, status: 201)
            try await daemon.check("POST", "/v1/devices", as: .ingest, phone)
            try await daemon.check("POST", "/v1/devices", as: .send, hook, status: 201)
            for token in ["phone-0001", "server-0001"] {
                try await daemon.check("PUT", "/v1/devices/{token}", at: "/v1/devices/\(token)", as: .send, "{}")
                let both = #"{"subscribe": ["news", "sport"], "unsubscribe": ["none"]}"#
                try await daemon.check("POST", "/v1/devices/{token}/topics", at: "/v1/devices/\(token)/topics", as: .send, both)
                try await daemon.check("GET", "/v1/devices/{token}", at: "/v1/devices/\(token)", as: .send)
            }
            try await daemon.check("POST", "/v1/devices/{token}/rotate-secret", at: "/v1/devices/server-0001/rotate-secret", as: .send, "")
            try await daemon.check("POST", "/v1/app/webhook-secret", as: .send, #"{"scheme": "v1"}"#)
            let tokens = #"{"tokens": ["phone-0001", "nobody-0001"]}"#
            for word in ["subscribe", "unsubscribe"] {
                try await daemon.check("POST", "/v1/topics/{topic}/\(word)", at: "/v1/topics/chess/\(word)", as: .send, tokens)
            }
            for role in [Role.read, .send] {
                try await daemon.check("GET", "/v1/devices", at: "/v1/devices?limit=1", as: role)
                try await daemon.check("GET", "/v1/topics", at: "/v1/topics?limit=1", as: role)
                try await daemon.check("GET", "/v1/topics/{topic}", at: "/v1/topics/news", as: role)
                try await daemon.check("GET", "/v1/topics/{topic}/subscribers", at: "/v1/topics/news/subscribers", as: role)
            }
            try await messages(daemon)
        }
    }

    private func messages(_ daemon: Checked) async throws {
        let whole = #"""
            {"topic": "news", "notification": {"title": "a", "body": "b", "image": "c"}, "data": {"k": "v"}, "ttl": 60, "collapse_key": "k",
             "priority": "high", "label": "l"}
            """#
        let bodies = [
            whole, #"{"tokens": ["nobody-0001", "phone-0001"], "data": {"k": "v"}}"#,
            #"{"condition": "'news' in topics", "data": {"k": "v"}, "send_at": "\#((WallClock.system.now() + .hours(1)).rfc3339)"}"#,
            #"{"topic": "nobody", "data": {"k": "v"}, "validate_only": true}"#,
        ]
        for body in bodies {
            let id = try await daemon.check("POST", "/v1/messages", as: .send, body)["id"]?.text ?? ""
            guard id != "validated" else { continue }
            try await daemon.check("GET", "/v1/messages/{id}", at: "/v1/messages/\(id)", as: .read)
            try await daemon.check("POST", "/v1/messages/{id}/redrive", at: "/v1/messages/\(id)/redrive", as: .send, "")
        }
        try await daemon.check("GET", "/v1/messages", at: "/v1/messages?limit=2", as: .read)
        // The attempt fails because private addresses are blocked.
        var failed: JSONValue?
        while failed == nil {
            failed = try await daemon.check("GET", "/v1/deliveries", as: .read)["items"]?.items.first { delivery in
                delivery["url"] != nil && ["retrying", "dead"].contains(delivery["state"]?.text) && !(delivery["attempts"]?.items ?? []).isEmpty
            }
        }
        let id = failed?["id"]?.text ?? ""
        try await daemon.check("GET", "/v1/deliveries/{id}", at: "/v1/deliveries/\(id)", as: .send)
        // The delivery may be in flight.
        try await daemon.check("POST", "/v1/deliveries/{id}/retry", at: "/v1/deliveries/\(id)/retry", as: .send, "", passing: 409)
        try await daemon.check("GET", "/v1/users/{id}", at: "/v1/users/u", as: .read)
        let export = try await daemon.check("GET", "/v1/users/{id}/export", at: "/v1/users/u/export", as: .admin)
        #expect(export["deliveries"]?.items.isEmpty == false)
    }
}
