// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
package import Messaging
import Platform

/// A registration request, validated as far as decoding can.
package struct DeviceRequest: Sendable {
    package var draft: RegistrationDraft
    /// The endpoint's own secret as text. The signing code parses it.
    package var secret: String?
}

/// Decodes a registration from a tape.
enum DeviceReader {
    /// Decodes a new or renewed registration.
    static func registration(_ fields: ObjectFields) throws(Refusal) -> DeviceRequest {
        try fields.allow("token", "replaces", "kind", "installation_id", "user_id", "platform", "endpoint", "app_version")
        var request = try common(fields)
        request.draft.token = try fields.text("token").map { (text) throws(Refusal) in
            try RegistrationToken(text, hint: "Omit it to have one generated.")
        }
        request.draft.replaces = try fields.text("replaces").map { (text) throws(Refusal) in try RegistrationToken(text, field: "replaces") }
        if let kind = request.draft.kind, kind != .own, request.draft.token == nil {
            throw .field("token", "missing", "is required for the kind \(kind.name)", hint: "Omit both to have a token generated.")
        }
        return request
    }

    /// Decodes changes to the registration in the path.
    static func change(_ fields: ObjectFields, of token: String) throws(Refusal) -> DeviceRequest {
        try fields.allow("token", "kind", "installation_id", "user_id", "platform", "endpoint", "app_version")
        if let found = try fields.text("token"), found != token {
            throw .field(
                "token", "immutable", "cannot be changed: it identifies the device",
                hint: "Register the new token with this one as replaces: POST /v1/devices.")
        }
        return try common(fields)
    }

    private static func common(_ fields: ObjectFields) throws(Refusal) -> DeviceRequest {
        var draft = RegistrationDraft()
        draft.kind = try fields.word("kind", TokenKind.self)
        draft.installation = try fields.shortText("installation_id", limit: FixedLimits.personLength)
        draft.clearsUser = fields.isNull("user_id")
        if !draft.clearsUser { draft.user = try fields.shortText("user_id", limit: FixedLimits.personLength) }
        draft.platform = try fields.word("platform", DevicePlatform.self)
        draft.appVersion = try fields.shortText("app_version", limit: FixedLimits.contextLength)
        var request = DeviceRequest(draft: draft)
        if let endpoint = try fields.object("endpoint") { try read(endpoint, into: &request) }
        return request
    }

    private static func read(_ endpoint: ObjectFields, into request: inout DeviceRequest) throws(Refusal) {
        switch try endpoint.text("type") {
        case "stream":
            try endpoint.allow("type")
            request.draft.endpoint = .stream
        case "webhook":
            try endpoint.allow("type", "url", "secret", "scheme")
            guard let url = try endpoint.text("url") else {
                throw .field("endpoint.url", "missing", "is required for a webhook", hint: "Use a complete URL such as https://example.com/hook.")
            }
            request.draft.endpoint = .webhook(try WebhookURL(url))
            request.secret = try endpoint.text("secret")
            request.draft.scheme = try scheme(endpoint, field: "endpoint.scheme")
            guard request.secret == nil || request.draft.scheme == nil else {
                throw .field("endpoint.scheme", "not_with_secret", "is determined by the secret", hint: "whsec_ means v1, whsk_ means v1a.")
            }
        case nil: throw .field("endpoint.type", "missing", "is required", hint: "Use webhook or stream.")
        default: throw .field("endpoint.type", "unknown", "must be webhook or stream")
        }
    }

    /// Returns the signature scheme for a generated secret, in the terms of Standard Webhooks.
    static func scheme(_ fields: ObjectFields, field: String) throws(Refusal) -> SigningKey.Scheme? {
        switch try fields.text("scheme") {
        case nil: nil
        case "v1": .symmetric
        case "v1a": .asymmetric
        default: throw .field(field, "unknown", "must be v1 or v1a", hint: "v1 is HMAC-SHA256 over a shared secret, v1a an Ed25519 signature.")
        }
    }
}
