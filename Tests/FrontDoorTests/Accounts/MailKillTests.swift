// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Kills of the daemon before each of its calls that change a file, while a code is redeemed and while a mail is sent.
@Suite struct MailKillTests {
    /// A call behind the last one of any request here.
    private static let most = 120

    @Test func `a password that is reset while the daemon is killed is the old or the new one`() async throws {
        let world = try await KilledMails()
        let (code, session) = (try await world.code(of: "reset_password", "ana@example.org"), world.session)
        var kills = 0
        for call in 1...Self.most {
            let (round, before) = (try world.copy(), world.sink.mails.count)
            let body = #"{"code": "\#(code)", "new_password": "\#(MailWorld.newPassword)"}"#
            guard try await round.reply(killingAt: call, { $0.request("/v1/auth/codes/redeem", body) }) == nil else { break }
            kills += 1
            let child = try await DaemonProcess.start(in: round.folder.path, environment: round.environment)
            let isReset = try await child.api.request(round.signIn(MailWorld.newPassword)).status == 200
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
        #expect((2..<Self.most).contains(kills))
    }

    @Test func `a sign-in with a code that is cut short happened or did not`() async throws {
        let world = try await KilledMails()
        let code = try await world.code(of: "sign_in", "bob@example.org")
        var kills = 0
        for call in 1...Self.most {
            let round = try world.copy()
            let body = #"{"method": "code", "code": "\#(code)", "email": "bob@example.org"}"#
            guard try await round.reply(killingAt: call, { $0.request("/v1/auth/sign-in", body) }) == nil else { break }
            kills += 1
            let child = try await DaemonProcess.start(in: round.folder.path, environment: round.environment)
            let before = try await Self.account("bob@example.org", child.api, round.keys)
            let again = try await child.api.request(round.request("/v1/auth/sign-in", body))
            #expect(again.status == (before == nil ? 201 : 422), "call \(call): \(again.text)")
            let after = try await Self.account("bob@example.org", child.api, round.keys)
            #expect(after?["sessions"].items.count == 1, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect((2..<Self.most).contains(kills))
    }

    private static func account(_ email: String, _ api: TestClient, _ keys: AppKeys) async throws -> JSON? {
        let found = try JSON(try await api.get("/v1/auth/accounts?email=\(email)", key: keys.admin))["items"].items
        #expect(found.count <= 1)
        guard let uid = found.first?["id"].text else { return nil }
        return try JSON(try await api.get("/v1/auth/accounts/\(uid)", key: keys.admin))
    }

    @Test func `a mail is sent once or not at all, whatever call it is cut short at`() async throws {
        let world = try await KilledMails()
        var (kills, isOver) = (0, false)
        for call in 1...Self.most where !isOver {
            let round = try world.copy()
            let before = world.sink.mails.count
            let (isAnswered, isKilled) = try await round.send(killingAt: call) { _ in round.ask("reset_password", "ana@example.org") }
            (kills, isOver) = (kills + (isKilled ? 1 : 0), !isKilled)
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
            if isAnswered { #expect(states.count == 1, "call \(call)") }
            if states == ["sent"] { #expect(sent.count == 1, "call \(call)") }
        }
        #expect((4..<Self.most).contains(kills) && isOver)
    }
}
