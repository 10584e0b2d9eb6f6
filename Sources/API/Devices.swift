// SPDX-License-Identifier: Apache-2.0

package import Events
package import Messaging

/// A registration (API: device).
package struct DeviceResponse: Codable, Sendable {
    package struct Endpoint: Codable, Sendable {
        package enum Kind: String, PublicName {
            case webhook, stream
        }

        package var type: Named<Kind>
        package var url: String?

        package init(type: Kind, url: String? = nil) {
            self.type = .known(type)
            self.url = url
        }
    }

    package var token: String
    package var kind: Named<TokenKind>
    package var installationId: String?
    package var userId: String?
    package var platform: Named<DevicePlatform>
    package var endpoint: Endpoint
    package var appVersion: String?
    package var state: Named<RegistrationState>
    /// Whether the device has not been in contact for 30 days.
    package var stale: Bool
    package var createdAt: Moment
    package var seenAt: Moment
    package var failingSince: Moment?
    /// Only of one device alone.
    package var topics: [String]?
    /// Only in the response to a change that made one.
    package var secret: String?

    package init(
        token: String, kind: TokenKind, installationId: String? = nil, userId: String? = nil, platform: DevicePlatform, endpoint: Endpoint,
        appVersion: String? = nil, state: RegistrationState, stale: Bool, createdAt: Moment, seenAt: Moment, failingSince: Moment? = nil,
        topics: [String]? = nil, secret: String? = nil
    ) {
        self.token = token
        self.kind = .known(kind)
        self.installationId = installationId
        self.userId = userId
        self.platform = .known(platform)
        self.endpoint = endpoint
        self.appVersion = appVersion
        self.state = .known(state)
        self.stale = stale
        self.createdAt = createdAt
        self.seenAt = seenAt
        self.failingSince = failingSince
        self.topics = topics
        self.secret = secret
    }
}

/// The response to `POST /v1/devices`.
package struct RegistrationResponse: Codable, Sendable {
    package var token: String
    package var secret: String?
    package var state: Named<RegistrationState>

    package init(token: String, secret: String? = nil, state: RegistrationState) {
        self.token = token
        self.secret = secret
        self.state = .known(state)
    }
}

package struct SecretResponse: Codable, Sendable {
    package var secret: String

    package init(secret: String) {
        self.secret = secret
    }
}

package struct TopicResponse: Codable, Sendable {
    package var topic: String
    package var subscribers: Int
    package var createdAt: Moment

    package init(topic: String, subscribers: Int, createdAt: Moment) {
        self.topic = topic
        self.subscribers = subscribers
        self.createdAt = createdAt
    }
}

/// The topics that a device joined and left.
package struct TopicChangeResponse: Codable, Sendable {
    package var subscribed: Int
    package var unsubscribed: Int

    package init(subscribed: Int, unsubscribed: Int) {
        self.subscribed = subscribed
        self.unsubscribed = unsubscribed
    }
}

/// The results of many tokens, in the order of the request.
package struct TokenResultsResponse: Codable, Sendable {
    package struct Result: Codable, Sendable {
        package enum Outcome: String, Codable, Sendable {
            case subscribed, unsubscribed, refused
        }

        package var result: Outcome
        package var code: String?
        package var message: String?

        package init(result: Outcome, code: String? = nil, message: String? = nil) {
            self.result = result
            self.code = code
            self.message = message
        }
    }

    package var succeeded: Int
    package var failed: Int
    package var results: [Result]

    package init(succeeded: Int, failed: Int, results: [Result]) {
        self.succeeded = succeeded
        self.failed = failed
        self.results = results
    }
}
