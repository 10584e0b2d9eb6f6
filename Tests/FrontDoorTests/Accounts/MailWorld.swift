// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// A daemon with accounts and a mail server, and what the users of an app do with their mails.
struct MailWorld: Sendable {
    let accounts: AccountWorld
    let sink: MailSink

    var api: TestClient { accounts.live.api }
    var keys: AppKeys { accounts.keys }
    var clock: ManualClock { accounts.clock }

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), methods: String = "password,code", _ sink: MailSink? = nil,
        configure: @escaping (inout Configuration) -> Void = { _ in }, _ body: @Sendable (MailWorld) async throws -> Void
    ) async throws {
        let sink = try sink ?? MailSink()
        try await AccountWorld.use(
            in: folder, methods: methods, sends: true,
            configure: { configuration in
                configuration.mail.url = sink.url
                configuration.mail.from = "Shop <no-reply@shop.example>"
                configuration.accounts.url = "https://signals.example.org"
                configure(&configuration)
            }
        ) { try await body(MailWorld(accounts: $0, sink: sink)) }
    }

    func ask(_ kind: String, _ email: String = "ana@example.org", more: String = "", key: String? = nil) async throws -> Reply {
        try await api.post("/v1/auth/codes", key: key ?? keys.ingest, #"{"kind": "\#(kind)", "email": "\#(email)"\#(more)}"#)
    }

    func redeem(_ code: String, more: String = "") async throws -> Reply {
        try await api.post("/v1/auth/codes/redeem", key: keys.ingest, #"{"code": "\#(code)"\#(more)}"#)
    }

    func signIn(code: String, more: String = "") async throws -> Reply {
        try await api.post("/v1/auth/sign-in", key: keys.ingest, #"{"method": "code", "code": "\#(code)"\#(more)}"#)
    }

    /// The mail that a request leads to.
    func mail(_ kind: String, _ email: String = "ana@example.org", more: String = "", key: String? = nil) async throws -> ReceivedMail {
        let before = sink.mails.count
        let reply = try await ask(kind, email, more: more, key: key)
        #expect(reply.status == 202 && reply.body.isEmpty, "\(reply.text)")
        return try await next(after: before)
    }

    func next(after count: Int) async throws -> ReceivedMail {
        let mails = try await sink.mails(count + 1)
        return try #require(mails.dropFirst(count).first)
    }

    /// The account as its user sees it.
    func user(_ token: String) async throws -> TestSupport.JSON { try TestSupport.JSON(try await api.get("/v1/auth/user", key: token)) }

    static let newPassword = "another horse battery staple"
}
