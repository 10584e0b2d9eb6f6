// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import ingestd

/// Responses to Firebase's SDKs about messages and topics.
extension ResponseTests {
    @Test func `responses to Firebase's SDKs match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use { daemon in
            let daemon = Checked(daemon, schema)
            let phone = #"{"token": "phone-0001", "platform": "ios", "app_version": "1", "endpoint": {"type": "stream"}}"#
            try await daemon.check("POST", "/v1/devices", as: .send, phone, status: 201)
            let subscriptions = "/v1/projects/{app}/registrations/{token}/topicSubscriptions"
            let path = "/v1/projects/1/registrations/phone-0001/topicSubscriptions"
            try await daemon.check("POST", subscriptions, at: "\(path)?topic_name=news", as: .send, "{}")
            try await daemon.check("POST", subscriptions, at: "\(path)?topic_name=news", as: .send, "{}", status: 409)
            try await daemon.check("POST", "\(subscriptions)/{topic}", at: "\(path)/sport:subscribe", as: .ingest, "")
            try await daemon.check("GET", subscriptions, at: "\(path)?page_size=1", as: .send)
            try await daemon.check("GET", "\(subscriptions)/{topic}", at: "\(path)/news", as: .send)
            try await daemon.check("PATCH", "\(subscriptions)/{topic}", at: "\(path)/news?allow_missing=true", as: .send, "")
            try await daemon.check("DELETE", "\(subscriptions)/{topic}", at: "\(path)/news", as: .send, "")
            try await daemon.check("DELETE", "\(subscriptions)/{topic}", at: "\(path)/news", as: .send, "", status: 404)
            let batch = #"{"to": "/topics/news", "registration_tokens": ["phone-0001", "nobody-0001"]}"#
            for word in ["batchAdd", "batchRemove"] { try await daemon.check("POST", "/iid/v1:\(word)", as: .send, batch) }
            try await daemon.check("POST", "/iid/v1:batchAdd", as: .send, "{}", status: 400)
            try await daemon.check("POST", "/iid/v1/{token}/rel/topics/{topic}", at: "/iid/v1/phone-0001/rel/topics/chess", as: .send, "")
            try await daemon.check("GET", "/iid/info/{token}", at: "/iid/info/phone-0001?details=true", as: .send)
            let send = "/v1/projects/{app}/messages:send"
            for (body, status) in [(#"{"message": {"token": "phone-0001"}}"#, 200), ("{}", 400), (#"{"message": {"token": "nobody-0001"}}"#, 404)] {
                try await daemon.check("POST", send, at: "/v1/projects/1/messages:send", as: .send, body, status: status)
            }
            try await daemon.check("POST", send, at: "/v1/projects/nobody/messages:send", as: .send, "{}", status: 403)
            try await daemon.check("POST", "/token", as: .send, "grant_type=password", status: 400)
        }
    }
}
