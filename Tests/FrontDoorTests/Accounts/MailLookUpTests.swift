// SPDX-License-Identifier: Apache-2.0

import Accounts
import AcrossStores
import Platform
import TestSupport
import Testing

@testable import AccountStore
@testable import ingestd

/// When the outbox looks up whom codes concern.
@Suite struct MailLookUpTests {
    private static let mailOptions: MailOptions = {
        var options = MailOptions()
        (options.url, options.from) = ("smtp://localhost:1", "a@b.example")
        return options
    }()

    @Test func `whom codes concern is looked up at a time that depends on no single request`() async throws {
        let (outbox, start) = (Outbox(), ContinuousClock.now)
        let wait = try #require(outbox.waitForLookUp(at: start))
        #expect(wait >= .milliseconds(50) && wait <= .milliseconds(250))
        #expect(outbox.waitForLookUp(at: start + wait / 2) == wait - wait / 2)
        #expect(outbox.waitForLookUp(at: start + wait) == nil)
        let next = try #require(outbox.waitForLookUp(at: start + wait))
        #expect(next >= .milliseconds(50))
        try await AccountWorld.use(methods: "password,code", configure: { $0.mail = Self.mailOptions }) { world in
            _ = try await world.user()
            let accounts = world.live.daemon.store.accounts
            #expect(try await accounts.claimMailInTurn(at: AccountWorld.now).nextDue == nil)
            for name in ["nobody", "ana"] {
                let body = #"{"kind": "reset_password", "email": "\#(name)@example.org"}"#
                #expect(try await world.live.api.post("/v1/auth/codes", key: world.keys.ingest, body).status == 202)
            }
            let first = try await accounts.claimMailInTurn(at: AccountWorld.now)
            #expect(first.mail == nil && first.nextDue.map { $0 > AccountWorld.now } == true)
            #expect(try await eventually { try await accounts.claimMailInTurn(at: AccountWorld.now).mail?.receiver == "ana@example.org" })
        }
    }
}
