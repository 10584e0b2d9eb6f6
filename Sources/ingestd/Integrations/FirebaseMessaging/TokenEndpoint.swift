// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import EventStore
import HTTPServer
import JSON
import Platform
import AcrossStores

/// Issues access tokens to service accounts for a signed assertion (RFC 7523), like Google's endpoint.
struct TokenEndpoint: Sendable {
    let store: Stores
    let clock: WallClock

    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let mostBytes = 16 << 10

    func exchange(_ call: Call) async throws -> HandlerResponse {
        let form = try TokenEndpoint.form(call.request.body)
        guard form["grant_type"] == TokenEndpoint.grant else {
            return TokenEndpoint.rejected("unsupported_grant_type", "The grant type must be \(TokenEndpoint.grant).")
        }
        guard let assertion = form["assertion"] else { return TokenEndpoint.rejected("invalid_request", "The assertion is missing.") }
        let account: ServiceAccount
        do throws(AssertionError) {
            account = try SignedAssertion.account(of: assertion, in: store.events.directory.now, now: clock.now())
        } catch {
            return TokenEndpoint.rejected("invalid_grant", error.rawValue)
        }
        return .response(
            .json { json in
                json.beginObject()
                json.field("access_token", store.events.accessToken(for: account))
                json.field("expires_in", EventStore.secondsOfAccessToken)
                json.field("token_type", "Bearer")
                json.endObject()
            })
    }

    private static func form(_ body: [UInt8]) throws(Refusal) -> [String: String] {
        guard let text = String(validating: body, as: UTF8.self), let pairs = PercentDecoding.pairs(of: text) else {
            throw Refusal(.badRequest, "The body is not a form.")
        }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private static func rejected(_ error: String, _ description: String) -> HandlerResponse {
        .response(response(error, description))
    }

    private static func response(_ error: String, _ description: String, status: Int = 400) -> HTTPResponse {
        .json(status: status) { json in
            json.beginObject()
            json.field("error", error)
            json.field("error_description", description)
            json.endObject()
        }
    }

    @Sendable static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let status = refusal.code.status
        return status < 500 ? response("invalid_request", refusal.detail) : response("temporarily_unavailable", refusal.detail, status: status)
    }
}
