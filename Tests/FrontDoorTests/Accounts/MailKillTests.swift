// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Kills of the daemon before calls that change a file, while a code is redeemed and while a mail is sent.
@Suite(.namesFaultSeed) struct MailKillTests {
    @Test func `a password that is reset while the daemon is killed is the old or the new one`() async throws {
        let world = try await KilledMails()
        let (code, session) = (try await world.code(of: "reset_password", "ana@example.org"), world.session)
        let body = #"{"code": "\#(code)", "new_password": "\#(MailWorld.newPassword)"}"#
        var kills = 0
        for call in try await world.calls(of: { $0.request("/v1/auth/codes/redeem", body) }) {
            let (round, before) = (try world.copy(), world.sink.mails.count)
            let reply = try await round.reply(killingAt: call) { $0.request("/v1/auth/codes/redeem", body) }.reply
            if reply == nil { kills += 1 }
            let child = try await DaemonProcess.start(in: round.folder.path, environment: round.environment)
            let isReset = try await child.api.request(round.signIn(MailWorld.newPassword)).status == 200
            #expect(isReset || reply == nil, "call \(call)")
            #expect(try await child.api.request(round.signIn(AccountWorld.password)).status == (isReset ? 401 : 200), "call \(call)")
            #expect(try await child.api.get("/v1/auth/user", key: session).status == (isReset ? 401 : 200), "call \(call)")
            let again = try await child.api.request(round.request("/v1/auth/codes/redeem", body))
            #expect(again.status == (isReset ? 422 : 200), "call \(call): \(again.text)")
            #expect(try await child.api.request(round.signIn(MailWorld.newPassword)).status == 200, "call \(call)")
            let changes = try JSON(try await child.api.get("/v1/auth/audit?event=password_changed", key: round.keys.admin))
            #expect(changes["items"].items.count == 1, "call \(call)")
            #expect(await child.stop() == 0)
            // The user is told of the new password, once.
            #expect(world.sink.mails.count - before <= 1, "call \(call)")
        }
        #expect(kills > 0)
    }

    @Test func `a sign-in with a code that is cut short happened or did not`() async throws {
        let world = try await KilledMails()
        let code = try await world.code(of: "sign_in", "bob@example.org")
        let body = #"{"method": "code", "code": "\#(code)", "email": "bob@example.org"}"#
        var kills = 0
        for call in try await world.calls(of: { $0.request("/v1/auth/sign-in", body) }) {
            let round = try world.copy()
            let reply = try await round.reply(killingAt: call) { $0.request("/v1/auth/sign-in", body) }.reply
            if reply == nil { kills += 1 }
            let child = try await DaemonProcess.start(in: round.folder.path, environment: round.environment)
            let before = try await Self.account("bob@example.org", child.api, round.keys)
            #expect(before != nil || reply == nil, "call \(call)")
            let again = try await child.api.request(round.request("/v1/auth/sign-in", body))
            #expect(again.status == (before == nil ? 201 : 422), "call \(call): \(again.text)")
            let after = try await Self.account("bob@example.org", child.api, round.keys)
            #expect(after?["sessions"].items.count == 1, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect(kills > 0)
    }

    private static func account(_ email: String, _ api: TestClient, _ keys: AppKeys) async throws -> JSON? {
        let found = try JSON(try await api.get("/v1/auth/accounts?email=\(email)", key: keys.admin))["items"].items
        #expect(found.count <= 1)
        guard let uid = found.first?["id"].text else { return nil }
        return try JSON(try await api.get("/v1/auth/accounts/\(uid)", key: keys.admin))
    }

    @Test func `a mail is sent once or not at all, whatever call it is cut short at`() async throws {
        let world = try await KilledMails()
        var kills = 0
        for call in try await world.callsUntilSettled({ round, _ in round.ask("reset_password", "ana@example.org") }) {
            let round = try world.copy()
            let before = world.sink.mails.count
            let step = try await round.send(killingAt: call) { _ in round.ask("reset_password", "ana@example.org") }
            if step.isKilled { kills += 1 }
            let later = try await round.start(after: KilledMails.lease)
            let sent = try await round.settledMails(to: "ana@example.org", after: before, later)
            #expect(sent.count <= 1, "call \(call)")
            if let code = sent.first?.code {
                let body = #"{"code": "\#(code)", "new_password": "\#(MailWorld.newPassword)"}"#
                #expect(try await later.api.request(round.request("/v1/auth/codes/redeem", body)).status == 200, "call \(call)")
            }
            #expect(await later.stop() == 0)
            let states = try round.mailStates("ana@example.org", kind: "reset_password")
            #expect(states.count <= 1 && states.allSatisfy { $0 == "sent" || $0 == "unknown" }, "call \(call): \(states)")
            if step.isAnswered { #expect(states.count == 1, "call \(call)") }
            if states == ["sent"] { #expect(sent.count == 1, "call \(call)") }
        }
        #expect(kills > 1)
    }
}
