// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A data folder with accounts whose daemon is killed, and the requests of its clients.
struct KilledAccounts: Sendable {
    /// ID tokens name the daemon's URL, which must stay the same over restarts.
    static let environment = ["INGESTD_ACCOUNTS_URL": "https://signals.example.org", "INGESTD_SERVER_KEY_FAILURES": "0"]

    let folder: TemporaryFolder
    let keys: AppKeys

    static func makeApp(_ api: TestClient) async throws -> AppKeys {
        let keys = try await api.makeApp()
        let settings = Array(#"{"auth_methods": "password"}"#.utf8)
        #expect(try await api.request("PATCH", "/v1/app", key: keys.admin, body: settings).status == 200)
        return keys
    }

    static func signUp(_ email: String, _ keys: AppKeys) -> [UInt8] {
        let body = #"{"email": "\#(email)", "password": "\#(AccountWorld.password)"}"#
        return TestClient.bytes("POST", "/v1/auth/sign-up", key: keys.ingest, body: Array(body.utf8))
    }

    static func signIn(_ email: String, _ keys: AppKeys) -> [UInt8] {
        let body = #"{"method": "password", "email": "\#(email)", "password": "\#(AccountWorld.password)"}"#
        return TestClient.bytes("POST", "/v1/auth/sign-in", key: keys.ingest, body: Array(body.utf8))
    }

    static func refresh(_ token: String, _ keys: AppKeys) -> [UInt8] {
        TestClient.bytes("POST", "/v1/auth/token", key: keys.ingest, body: Array(#"{"refresh_token": "\#(token)"}"#.utf8))
    }

    func signUp(_ email: String) -> [UInt8] { Self.signUp(email, keys) }

    /// Starts the daemon, sends a request and kills the daemon before a call that changes a file. Returns the response, if it came before.
    func reply(killingAt call: Int, _ request: (KilledAccounts.Type) -> [UInt8]) async throws -> Reply? {
        try await send(killingAt: call, request).reply
    }

    /// Returns the response to a request without a kill, and the number of calls that change a file.
    func counted(_ request: (KilledAccounts.Type) -> [UInt8]) async throws -> (reply: Reply, calls: Int) {
        let (reply, calls) = try await send(killingAt: .max, request)
        return (try #require(reply), calls)
    }

    private func send(killingAt call: Int, _ request: (KilledAccounts.Type) -> [UInt8]) async throws -> (reply: Reply?, calls: Int) {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment.merging(shim.environment) { $1 })
        shim.kill(at: call)
        let reply = try? await child.api.request(request(KilledAccounts.self))
        let calls = shim.calls
        shim.heal()
        await child.killHard()
        return (reply, calls)
    }

    /// A client that got no response signs up again. Then the address has one account, whose password is right.
    func expectOneAccount(_ email: String, _ api: TestClient, _ comment: String) async throws {
        let again = try await api.request(Self.signUp(email, keys))
        #expect([201, 409].contains(again.status), "\(comment): \(again.text)")
        let signedIn = try await api.request(Self.signIn(email, keys))
        #expect(signedIn.status == 200, "\(comment): \(signedIn.text)")
        let found = try JSON(try await api.get("/v1/auth/accounts?email=\(email)", key: keys.admin))["items"].items
        #expect(found.count == 1, "\(comment)")
        let created = try JSON(try await api.get("/v1/auth/audit?event=created&user=\(found.first?["id"].text ?? "")", key: keys.admin))
        #expect(created["items"].items.count == 1, "\(comment)")
    }
}

extension TestClient {
    /// Sends a request as bytes on a new connection.
    func request(_ bytes: [UInt8]) async throws -> Reply { try await connect().exchange(bytes) }
}
