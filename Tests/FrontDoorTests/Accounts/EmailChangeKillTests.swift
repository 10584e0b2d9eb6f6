// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// Kills of the daemon before calls that change a file, at each step of a change of address until its mail is settled.
@Suite(.namesFaultSeed) struct EmailChangeKillTests {
    private static let (old, new) = ("ana@example.org", "ana@new.example")

    /// The wish for the new address, in a session that just began.
    private static func ask(_ round: KilledMails, _ child: DaemonProcess) async throws -> [UInt8] {
        TestClient.bytes("POST", "/v1/auth/user/email", key: try await round.token(child), body: Array(#"{"email": "\#(new)"}"#.utf8))
    }

    private static func redeem(_ round: KilledMails, _ code: String) -> [UInt8] {
        round.request("/v1/auth/codes/redeem", #"{"code": "\#(code)"}"#)
    }

    /// Runs a step over and over, killed at its calls, and checks what a later daemon does with what is left.
    private static func kill(
        in world: KilledMails, with request: (KilledMails, DaemonProcess) async throws -> [UInt8],
        check: (KilledMails, DaemonProcess, Round) async throws -> Void
    ) async throws {
        var kills = 0
        for call in try await world.callsUntilSettled(request) {
            let (round, before) = (try world.copy(), world.sink.mails.count)
            let sent = try await round.send(killingAt: call) { try await request(round, $0) }
            if sent.isKilled { kills += 1 }
            let later = try await round.start(after: KilledMails.lease)
            try await check(round, later, Round(call: call, isAnswered: sent.isAnswered, mailsBefore: before))
            #expect(await later.stop() == 0)
        }
        #expect(kills > 1, "\(kills) kills")
    }

    private struct Round {
        var call: Int
        var isAnswered: Bool
        var mailsBefore: Int
    }

    @Test func `a wish for another address is one mail or none, and the address stays until its code is redeemed`() async throws {
        let world = try await KilledMails()
        try await Self.kill(in: world, with: Self.ask) { round, later, step in
            let mails = try await round.settledMails(to: Self.new, after: step.mailsBefore, later)
            #expect(mails.count <= 1, "call \(step.call)")
            #expect(try await Self.address(round, later) == Self.old, "call \(step.call)")
            if let code = mails.first?.code {
                #expect(try await later.api.request(Self.redeem(round, code)).status == 200, "call \(step.call)")
                #expect(try await later.api.request(Self.redeem(round, code)).status == 422, "call \(step.call)")
                #expect(try await Self.address(round, later) == Self.new, "call \(step.call)")
            }
            let states = try round.mailStates(Self.new, kind: "change_email")
            #expect(states.count <= 1 && states.allSatisfy { $0 == "sent" || $0 == "unknown" }, "call \(step.call): \(states)")
            if step.isAnswered { #expect(states.count == 1, "call \(step.call)") }
            if states == ["sent"] { #expect(mails.count == 1, "call \(step.call)") }
        }
    }

    @Test func `a redeemed change happened or did not, and its undo mail goes out once`() async throws {
        let world = try await KilledMails()
        let code = try await world.code(202) { try await Self.ask(world, $0) }
        try await Self.kill(in: world, with: { round, _ in Self.redeem(round, code) }) { round, later, step in
            let address = try await Self.address(round, later)
            #expect([Self.old, Self.new].contains(address) && (address == Self.new || !step.isAnswered), "call \(step.call)")
            let again = try await later.api.request(Self.redeem(round, code))
            #expect(again.status == (address == Self.new ? 422 : 200), "call \(step.call): \(again.text)")
            try await Self.expectOneChange(round, later, step, count: 1, address: Self.new)
            let mails = try await round.settledMails(to: Self.old, after: step.mailsBefore, later)
            let states = try round.mailStates(Self.old, kind: "email_changed")
            #expect(mails.count <= 1 && states.count == 1 && ["sent", "unknown"].contains(states[0]), "call \(step.call): \(states)")
            if states == ["sent"] { #expect(mails.count == 1, "call \(step.call)") }
            if let undo = mails.first?.code {
                #expect(try await later.api.request(Self.redeem(round, undo)).status == 200, "call \(step.call)")
                #expect(try await Self.address(round, later) == Self.old, "call \(step.call)")
            }
        }
    }

    @Test func `an undone change happened or did not, and one mail leads to a new password`() async throws {
        let world = try await KilledMails()
        let change = try await world.code(202) { try await Self.ask(world, $0) }
        let undo = try await world.code(200) { _ in Self.redeem(world, change) }
        try await Self.kill(in: world, with: { round, _ in Self.redeem(round, undo) }) { round, later, step in
            let address = try await Self.address(round, later)
            #expect([Self.old, Self.new].contains(address) && (address == Self.old || !step.isAnswered), "call \(step.call)")
            let again = try await later.api.request(Self.redeem(round, undo))
            #expect(again.status == (address == Self.old ? 422 : 200), "call \(step.call): \(again.text)")
            try await Self.expectOneChange(round, later, step, count: 2, address: Self.old)
            #expect(try await later.api.request(round.signIn(AccountWorld.password)).status == 401, "call \(step.call)")
            let mails = try await round.settledMails(to: Self.old, after: step.mailsBefore, later)
            let states = try round.mailStates(Self.old, kind: "reset_password")
            #expect(mails.count <= 1 && states.count == 1 && ["sent", "unknown"].contains(states[0]), "call \(step.call): \(states)")
            if states == ["sent"] { #expect(mails.count == 1, "call \(step.call)") }
        }
    }

    /// The address of the only account.
    private static func address(_ round: KilledMails, _ child: DaemonProcess) async throws -> String {
        let accounts = try JSON(try await child.api.get("/v1/auth/accounts", key: round.keys.admin))["items"].items
        return accounts.count == 1 ? accounts[0]["email"].text : "\(accounts.count) accounts"
    }

    private static func expectOneChange(_ round: KilledMails, _ child: DaemonProcess, _ step: Round, count: Int, address: String) async throws {
        #expect(try await Self.address(round, child) == address, "call \(step.call)")
        let changes = try JSON(try await child.api.get("/v1/auth/audit?event=email_changed", key: round.keys.admin))["items"].items
        #expect(changes.count == count, "call \(step.call)")
    }
}
