// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import Accounts
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// An identity provider on loopback: its documents, and the ID tokens that it signs.
final class ProviderStub: Sendable {
    struct State: Sendable {
        var keys: [String: ForgedKey] = ["k1": .ofProvider()]
        var isDown = false
        var cacheControl = "public, max-age=600"
        /// Replaces the key set's address in the discovery document.
        var keysURL: String?
        /// Replaces the issuer in the discovery document.
        var issuer: String?
        /// Replaces the key set.
        var keySet: String?
    }

    private final class Box: Sendable {
        let state = Mutex(State())
    }

    private let box = Box()
    private let sink: WebhookSink

    init() throws {
        let box = box
        sink = try WebhookSink { hook in ProviderStub.answer(hook, box.state.withLock { $0 }) }
    }

    var issuer: String { "http://127.0.0.1:\(sink.port)" }
    /// The number of times that the key set was fetched.
    var fetches: Int { sink.hooks(to: "/keys").count }

    func set(_ change: (inout State) -> Void) { box.state.withLock { change(&$0) } }

    private static func answer(_ hook: Hook, _ state: State) -> WebhookSink.Manner {
        if state.isDown { return .resets }
        let own = "http://" + (hook.headers["host"] ?? "")
        let body =
            switch hook.path {
            case "/.well-known/openid-configuration":
                #"{"issuer": "\#(state.issuer ?? own)", "jwks_uri": "\#(state.keysURL ?? own + "/keys")"}"#
            case "/keys": state.keySet ?? #"{"keys": [\#(state.keys.map { $0.value.jwk($0.key) }.joined(separator: ","))]}"#
            default: ""
            }
        return body.isEmpty ? .status(404) : .status(200, "Cache-Control: \(state.cacheControl)", body: body)
    }

    /// Signs an ID token.
    ///
    /// - Parameter claims: Further members, such as `"email":"ana@example.org"`.
    func token(
        _ subject: String, _ claims: String = "", key: String = "k1", algorithm: String = "RS256", audience: String = "shop-client",
        at now: Timestamp = AccountWorld.now
    ) -> String {
        let seconds = now.milliseconds / 1_000
        let more = claims.isEmpty ? "" : "," + claims
        let signer = box.state.withLock { $0.keys[key] ?? .stranger }
        return Forge.token(
            #"{"alg":"\#(algorithm)","kid":"\#(key)"}"#,
            #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"\#(subject)","iat":\#(seconds),"exp":\#(seconds + 600)\#(more)}"#, sign: signer.sign)
    }
}

/// A daemon whose app has identity providers: one whose word about addresses counts (`oidc.corp`) and one whose does not (`oidc.open`).
struct ProviderWorld: Sendable {
    let accounts: AccountWorld
    let corp: ProviderStub
    let open: ProviderStub

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), configure: @escaping (inout Configuration, ProviderStub) -> Void = { _, _ in },
        _ body: @Sendable (ProviderWorld) async throws -> Void
    ) async throws {
        let (corp, open) = (try ProviderStub(), try ProviderStub())
        try await AccountWorld.use(in: folder, methods: "password,anonymous,id_token") { configuration in
            configuration.mode = .development
            configuration.accounts.providers = [corp.provider("oidc.corp", trustsEmail: true), open.provider("oidc.open")]
            configure(&configuration, corp)
        } _: { world in
            try await body(ProviderWorld(accounts: world, corp: corp, open: open))
        }
    }

    func signIn(_ token: String, _ provider: String = "oidc.corp", more: String = "", as bearer: String? = nil) async throws -> Reply {
        try await accounts.live.api.post(
            "/v1/auth/sign-in", key: bearer ?? accounts.keys.ingest,
            #"{"method": "id_token", "provider": "\#(provider)", "token": "\#(token)"\#(more)}"#)
    }

    func link(_ token: String, _ provider: String = "oidc.corp", as bearer: String) async throws -> Reply {
        try await accounts.live.api.post(
            "/v1/auth/user/identities", key: bearer, #"{"provider": "\#(provider)", "token": "\#(token)"}"#)
    }

    func unlink(_ provider: String, as bearer: String) async throws -> Reply {
        try await accounts.live.api.request("DELETE", "/v1/auth/user/identities/\(provider)", key: bearer)
    }

    /// Marks the address of an account as verified.
    func verify(_ uid: String) async throws {
        let reply = try await accounts.live.api.request(
            "PATCH", "/v1/auth/accounts/\(uid)", key: accounts.keys.admin, body: Array(#"{"email_verified": true}"#.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }
}

extension ProviderStub {
    func provider(_ id: String, trustsEmail: Bool = false, algorithms: [TokenAlgorithm] = [.rs256]) -> IdentityProvider {
        var provider = IdentityProvider()
        (provider.id, provider.apps, provider.issuer, provider.audiences) = (id, ["shop"], issuer, ["shop-client"])
        (provider.trustsEmail, provider.algorithms) = (trustsEmail, algorithms)
        return provider
    }
}

/// The claims of a verified address.
func verified(_ email: String) -> String { #""email":"\#(email)","email_verified":true"# }

extension Reply {
    /// The code of a refusal.
    var code: String { (try? TestSupport.JSON(self)["code"].text) ?? "" }
}
