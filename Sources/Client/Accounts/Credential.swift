// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Proof of a user's identity, for a sign-in or for linking.
public enum Credential: Sendable, Hashable {
    /// Sign in with Apple: the ID token, the raw nonce whose SHA-256 was in the request, and the name, which Apple gives at the first time only.
    case apple(idToken: String, rawNonce: String? = nil, fullName: PersonNameComponents? = nil)
    /// Google Sign-In.
    case google(idToken: String, rawNonce: String? = nil)
    /// Another provider of the daemon's configuration, such as `oidc.corp` or `microsoft.com`.
    case oidc(provider: String, idToken: String, rawNonce: String? = nil)
    /// A token that a server of yours signed.
    case custom(token: String)
    /// A code of a sign-in mail: that of its link, or its digits together with the address.
    case code(String, email: String? = nil)
    /// A new account without anything.
    case anonymous
    /// The code of an authenticator app, which finishes a sign-in; `factor` is needed only to choose one of several.
    case totp(PendingSignIn, code: String, factor: String? = nil)
    /// A recovery code, which finishes a sign-in once.
    case recovery(PendingSignIn, code: String)
}

/// A sign-in that waits for the code of a second factor.
public struct PendingSignIn: Sendable, Hashable {
    /// A second factor of the account.
    public struct Factor: Sendable, Hashable, Decodable {
        /// The ID of the factor.
        public var id: String
        /// The kind: `totp`.
        public var kind: String
        /// The name that the user gave it.
        public var name: String?

        /// Creates a factor, for tests.
        public init(id: String, kind: String = "totp", name: String? = nil) {
            (self.id, self.kind, self.name) = (id, kind, name)
        }
    }

    /// The secret of the pending sign-in.
    public var pending: String
    /// The time until which it can be finished.
    public var expiresAt: Date
    /// The factors to choose from.
    public var factors: [Factor]

    /// Creates a pending sign-in, for tests.
    public init(pending: String, expiresAt: Date, factors: [Factor]) {
        (self.pending, self.expiresAt, self.factors) = (pending, expiresAt, factors)
    }
}

extension Credential {
    /// Returns the route that signs in with the credential, and its body.
    func signIn(installation: String?) -> (path: String, body: JSONText) {
        var json = JSONText()
        var path = "v1/auth/sign-in"
        let identity = identity
        json.object { json in
            if let identity {
                json.field("method", "id_token")
                identity.write(to: &json)
            }
            if !finishesSignIn { json.field("installation_id", installation) }
            switch self {
            case .apple, .google, .oidc: break
            case .custom(let token):
                json.field("method", "custom_token")
                json.field("token", token)
            case .code(let code, let email):
                json.field("method", "code")
                json.field("code", code)
                json.field("email", email)
            case .anonymous: json.field("method", "anonymous")
            case .totp(let pending, let code, let factor):
                path = "v1/auth/second-factor"
                json.field("pending", pending.pending)
                json.field("factor", factor)
                json.field("code", code)
            case .recovery(let pending, let code):
                path = "v1/auth/second-factor"
                json.field("pending", pending.pending)
                json.field("factor", "recovery")
                json.field("code", code)
            }
        }
        return (path, json)
    }

    private var finishesSignIn: Bool {
        switch self {
        case .totp, .recovery: true
        case .apple, .google, .oidc, .custom, .code, .anonymous: false
        }
    }

    /// The token of an identity provider.
    struct Identity {
        var provider: String
        var token: String
        var nonce: String?
        var name: String?

        func write(to json: inout JSONText) {
            json.field("provider", provider)
            json.field("token", token)
            json.field("nonce", nonce)
            json.field("name", name)
        }
    }

    var identity: Identity? {
        switch self {
        case .apple(let token, let nonce, let name): Identity(provider: "apple.com", token: token, nonce: nonce, name: name.flatMap(Self.text))
        case .google(let token, let nonce): Identity(provider: "google.com", token: token, nonce: nonce)
        case .oidc(let provider, let token, let nonce): Identity(provider: provider, token: token, nonce: nonce)
        case .custom, .code, .anonymous, .totp, .recovery: nil
        }
    }

    private static func text(_ name: PersonNameComponents) -> String? {
        #if canImport(Darwin)
            let text = PersonNameComponentsFormatter.localizedString(from: name, style: .default)
        #else
            let text = [name.givenName, name.familyName].compactMap { $0 }.joined(separator: " ")
        #endif
        return text.isEmpty ? nil : text
    }
}
