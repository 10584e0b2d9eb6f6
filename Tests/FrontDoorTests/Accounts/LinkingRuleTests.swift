// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Each row of the table of linking, in both orders and at once.
@Suite struct LinkingRuleTests {
    private static let address = "ana@example.org"

    @Test func `a trusted address opens the account that verified it`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try await world.accounts.user()
            try await world.verify(user.id)
            let reply = try await world.signIn(world.corp.token("u-1", verified(Self.address)))
            #expect(try reply.status == 200 && AccountWorld.Session(reply).id == user.id, "\(reply.text)")
            #expect(try JSON(reply)["user"]["providers"].source == #"["password","oidc.corp"]"#)
            #expect(try await world.accounts.signIn().status == 200)
            #expect(try await world.accounts.refresh(user.refresh).status == 200)
            // In the other order the address is taken.
            #expect(try await world.signIn(world.corp.token("u-2", verified("bob@example.org"))).status == 201)
            #expect(try await world.accounts.signUp("bob@example.org").code == "email_exists")
        }
    }

    @Test func `whoever made an account with another's address loses it`() async throws {
        try await ProviderWorld.use { world async throws in
            // The attacker has a password, a session and an identity of a provider that proves nothing.
            let attacker = try await world.accounts.user()
            #expect(try await world.link(world.open.token("attacker"), "oidc.open", as: attacker.token).status == 200)
            let owner = try await world.signIn(world.corp.token("owner", verified(Self.address)))
            #expect(try owner.status == 200 && AccountWorld.Session(owner).id == attacker.id, "\(owner.text)")
            let user = try JSON(owner)["user"]
            #expect(user["providers"].source == #"["oidc.corp"]"# && user["email_verified"].bool)
            #expect(try await world.accounts.signIn().code == "invalid_credentials")
            #expect(try await world.accounts.refresh(attacker.refresh).code == "session_ended")
            #expect(try await world.accounts.live.api.get("/v1/auth/user", key: attacker.token).status == 401)
            let again = try await world.signIn(world.open.token("attacker"), "oidc.open")
            #expect(try again.status == 201 && AccountWorld.Session(again).id != attacker.id)
            #expect(try await world.accounts.refresh(AccountWorld.Session(owner).refresh).status == 200)
        }
    }

    @Test func `an untrusted address opens nothing`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try await world.accounts.user()
            for isVerified in [false, true] {
                if isVerified { try await world.verify(user.id) }
                let reply = try await world.signIn(world.open.token("u-1", verified(Self.address)), "oidc.open")
                #expect(reply.status == 409 && reply.code == "account_exists" && !reply.text.contains(user.id))
                // A trusted provider that has not verified the address itself proves nothing, too.
                #expect(try await world.signIn(world.corp.token("u-2", #""email":"\#(Self.address)""#)).code == "account_exists")
            }
            #expect(try await world.accounts.signIn().status == 200)
            // The other order: the first account has the address, unverified; a trusted provider takes it over.
            let first = try await world.signIn(world.open.token("u-3", verified("bob@example.org")), "oidc.open")
            #expect(try first.status == 201 && !JSON(first)["user"]["email_verified"].bool)
            let second = try await world.signIn(world.corp.token("u-4", verified("BOB@example.org")))
            #expect(try second.status == 200 && AccountWorld.Session(second).id == AccountWorld.Session(first).id)
            #expect(try await world.signIn(world.open.token("u-3", verified("bob@example.org")), "oidc.open").code == "account_exists")
        }
    }

    @Test func `an identity has one account`() async throws {
        try await ProviderWorld.use { world async throws in
            let (ana, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            #expect(try await world.link(world.corp.token("u-1"), as: ana.token).status == 200)
            // Again, and by sign-in: the same account.
            #expect(try await world.link(world.corp.token("u-1"), as: ana.token).status == 200)
            #expect(try AccountWorld.Session(try await world.signIn(world.corp.token("u-1"), as: ana.token)).id == ana.id)
            #expect(try AccountWorld.Session(try await world.signIn(world.corp.token("u-1"))).id == ana.id)
            for reply in [
                try await world.link(world.corp.token("u-1"), as: bob.token), try await world.signIn(world.corp.token("u-1"), as: bob.token),
            ] {
                #expect(reply.status == 409 && reply.code == "identity_linked" && !reply.text.contains(ana.id))
            }
            // Another user of the same provider is somebody else.
            #expect(try await world.link(world.corp.token("u-2"), as: ana.token).code == "identity_linked")
        }
    }

    @Test func `a new user of the provider with an old address is somebody else`() async throws {
        try await ProviderWorld.use { world async throws in
            let first = try await world.signIn(world.corp.token("u-1", verified(Self.address)))
            #expect(first.status == 201)
            #expect(try await world.signIn(world.corp.token("u-2", verified(Self.address))).code == "account_exists")
            #expect(try await world.signIn(world.corp.token("u-1")).status == 200)
        }
    }

    @Test func `at once they make one account`() async throws {
        try await ProviderWorld.use { world async throws in
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<6 { group.addTask { try await world.signIn(world.corp.token("u-1", verified(Self.address))) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.count { $0.status == 201 } == 1 && replies.count { $0.status == 200 } == 5, "\(replies.map(\.status))")
            #expect(try Set(replies.map { try AccountWorld.Session($0).id }).count == 1)
        }
    }

    /// A sign-up with the victim's address races with the victim's own sign-in. Whoever is first, the attacker is out.
    @Test func `at once with a sign-up the owner of the address has the account`() async throws {
        try await ProviderWorld.use { world async throws in
            for round in 0..<4 {
                let address = "user-\(round)@example.org"
                async let attack = world.accounts.signUp(address)
                async let owner = world.signIn(world.corp.token("owner-\(round)", verified(address)))
                let (attacked, owned) = (try await attack, try await owner)
                #expect(owned.status == 200 || owned.status == 201, "\(owned.text)")
                #expect(attacked.status == 201 || attacked.code == "email_exists", "\(attacked.text)")
                #expect(try JSON(owned)["user"]["providers"].source == #"["oidc.corp"]"#)
                #expect(try await world.accounts.signIn(address).code == "invalid_credentials")
                if attacked.status == 201 {
                    #expect(try await world.accounts.refresh(AccountWorld.Session(attacked).refresh).code == "session_ended")
                }
            }
        }
    }
}
