// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Platform
import TestSupport
import Testing

@testable import Signalbox

extension World {
    static let email = "ana@example.org"
    static let password = "correct horse battery staple"

    /// A daemon whose app lets users sign in.
    static func withAccounts(_ environment: [String: String] = [:], settings: String = "") async throws -> World {
        let world = try await start(environment)
        try await world.set(#"{"auth_methods": "password,anonymous,id_token,code,custom_token"\#(settings)}"#)
        return world
    }

    func set(_ settings: String) async throws {
        let reply = try await api.request("PATCH", "/v1/app", key: keys.admin, body: Array(settings.utf8))
        try #require(reply.status == 200, "\(reply.text)")
    }

    /// Changes an account as an administrator.
    func administer(_ user: String, _ change: String) async throws {
        let reply = try await api.request("PATCH", "/v1/auth/accounts/\(user)", key: keys.admin, body: Array(change.utf8))
        try #require(reply.status == 200, "\(reply.text)")
    }

    /// Starts an app whose user has signed up.
    func signedUp(_ change: (inout SignalboxOptions) -> Void = { _ in }) async throws -> (app: SignalboxApp, user: AccountUser) {
        let app = try SignalboxApp(change, of: self)
        return (app, try await app.accounts.signUp(email: World.email, password: World.password, name: "Ana").user)
    }

    /// The refresh token on the disk of the app's folder.
    var storedRefreshToken: String {
        let json = try? JSON([UInt8](Data(contentsOf: URL(fileURLWithPath: appFolder.path + "/credentials.json"))))
        return json?["session"]["refreshToken"].text ?? ""
    }

    /// Uses a refresh token as another party does.
    func refresh(_ token: String) async throws -> Reply {
        try await api.post("/v1/auth/token", key: keys.ingest, #"{"refresh_token": "\#(token)"}"#)
    }

    /// Signs in on another device and returns the ID token.
    func signIn(_ email: String, _ password: String) async throws -> String {
        let body = #"{"method": "password", "email": "\#(email)", "password": "\#(password)"}"#
        return try JSON(await api.post("/v1/auth/sign-in", key: keys.ingest, body))["id_token"].text
    }

    /// The answers to requests with ID tokens.
    func states(of tokens: [String]) async throws -> [Int] {
        var states: [Int] = []
        for token in tokens { states.append(try await api.get("/v1/auth/user", key: token).status) }
        return states
    }

    /// The number of open streams of session states.
    func stateStreams() async throws -> Int {
        let lines = try await api.get("/metrics").text.split(separator: "\n")
        let name = "signalbox_auth_state_streams "
        return try #require(lines.first { $0.hasPrefix(name) }.flatMap { Double($0.dropFirst(name.count)) }.map(Int.init))
    }

    /// Adds an authenticator app to a user and returns its secret and the recovery codes.
    func addFactor(to session: AccountSession) async throws -> (secret: [UInt8], recovery: [String]) {
        let added = try JSON(await api.post("/v1/auth/user/factors", key: session.idToken, #"{"kind": "totp", "name": "Phone"}"#))
        let secret = World.base32(added["secret"].text)
        let confirmed = try await api.post(
            "/v1/auth/user/factors/\(added["factor"]["id"].text)/confirm", key: session.idToken, #"{"code": "\#(World.code(secret, steps: 0))"}"#)
        try #require(confirmed.status == 200, "\(confirmed.text)")
        return (secret, try JSON(confirmed)["recovery_codes"].items.map(\.text))
    }

    /// The code of an authenticator app. Each half minute's code counts once, and the next one counts already.
    static func code(_ secret: [UInt8], steps: Int64) -> String {
        TOTP.code(secret, step: Int64(Date().timeIntervalSince1970) / TOTP.periodSeconds + steps)
    }

    static func base32(_ text: String) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let bits = text.utf8.flatMap { letter in (0..<5).map { ((letters.firstIndex(of: letter) ?? 0) >> (4 - $0)) & 1 } }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8($1) } }
    }
}
