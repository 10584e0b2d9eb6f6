// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import SQLite
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
            let (isAnswered, isKilled) = try await round.send(killingAt: call)
            (kills, isOver) = (kills + (isKilled ? 1 : 0), !isKilled)
            // The lease of a claimed mail is over then.
            let later = try await round.start(after: .seconds(180))
            #expect(try await later.api.request(round.ask("sign_in", "eve@example.org")).status == 202)
            #expect(try await eventually { world.sink.mails.dropFirst(before).contains { $0.receivers == ["eve@example.org"] } })
            let sent = world.sink.mails.dropFirst(before).filter { $0.receivers == ["ana@example.org"] }
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

/// A data folder with an account whose address is proved, whose daemon is killed, and a mail server that outlives it.
private struct KilledMails: Sendable {
    let sink: MailSink
    let folder: TemporaryFolder
    let keys: AppKeys
    /// An ID token of the user.
    let session: String

    var environment: [String: String] { Self.environment(sink) }

    private static func environment(_ sink: MailSink) -> [String: String] {
        KilledAccounts.environment.merging(["INGESTD_ACCOUNTS_MAIL_URL": sink.url, "INGESTD_ACCOUNTS_MAIL_FROM": "Shop <no-reply@shop.example>"]) {
            $1
        }
    }

    init() async throws {
        let (sink, folder) = (try MailSink(), TemporaryFolder())
        let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment(sink))
        let keys = try await KilledAccounts.makeApp(child.api)
        let settings = Array(#"{"auth_methods": "password,code"}"#.utf8)
        #expect(try await child.api.request("PATCH", "/v1/app", key: keys.admin, body: settings).status == 200)
        let user = #"{"email": "ana@example.org", "password": "\#(AccountWorld.password)", "email_verified": true}"#
        #expect(try await child.api.post("/v1/auth/accounts", key: keys.admin, user).status == 201)
        let reply = try await child.api.request(KilledAccounts.signIn("ana@example.org", keys))
        #expect(await child.stop() == 0)
        (self.sink, self.folder, self.keys, session) = (sink, folder, keys, try AccountWorld.Session(reply).token)
    }

    private init(_ other: KilledMails, _ folder: TemporaryFolder) {
        (sink, keys, session, self.folder) = (other.sink, other.keys, other.session, folder)
    }

    /// The same in a copy of the folder.
    func copy() throws -> KilledMails {
        let copy = TemporaryFolder()
        try FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        return KilledMails(self, copy)
    }

    // MARK: Requests

    func request(_ path: String, _ body: String) -> [UInt8] { TestClient.bytes("POST", path, key: keys.ingest, body: Array(body.utf8)) }

    func ask(_ kind: String, _ email: String) -> [UInt8] { request("/v1/auth/codes", #"{"kind": "\#(kind)", "email": "\#(email)"}"#) }

    func signIn(_ password: String) -> [UInt8] {
        request("/v1/auth/sign-in", #"{"method": "password", "email": "ana@example.org", "password": "\#(password)"}"#)
    }

    /// Asks for a code and returns it, once its mail has arrived.
    func code(of kind: String, _ email: String) async throws -> String {
        let child = try await DaemonProcess.start(in: folder.path, environment: environment)
        let before = sink.mails.count
        #expect(try await child.api.request(ask(kind, email)).status == 202)
        let mail = try #require(try await sink.mails(before + 1).last)
        #expect(await child.stop() == 0)
        return try #require(mail.code ?? mail.digits)
    }

    // MARK: Daemons

    /// Starts a daemon whose clock is ahead.
    func start(after offset: Duration) async throws -> DaemonProcess {
        let shim = FaultShim(watching: folder.path)
        shim.setClock(offset)
        return try await DaemonProcess.start(in: folder.path, environment: environment.merging(shim.environment) { $1 })
    }

    /// Starts the daemon, sends a request and kills the daemon before a call that changes a file. Returns the response, if it came before.
    func reply(killingAt call: Int, _ request: (KilledMails) -> [UInt8]) async throws -> Reply? {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: environment.merging(shim.environment) { $1 })
        shim.kill(at: call)
        let reply = try? await child.api.request(request(self))
        shim.heal()
        await child.killHard()
        return reply
    }

    /// Asks for a mail and kills the daemon before a call that changes a file, if there are as many until the mail is settled.
    func send(killingAt call: Int) async throws -> (isAnswered: Bool, isKilled: Bool) {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: environment.merging(shim.environment) { $1 })
        shim.kill(at: call)
        let reply = try? await child.api.request(ask("reset_password", "ana@example.org"))
        let isOver = try await eventually {
            guard let metrics = try? await child.api.get("/metrics") else { return true }
            return metrics.text.contains(#"signalbox_mail_attempts_total{result="accepted"} 1"#)
        }
        #expect(isOver)
        // The outcome is recorded before the daemon ends.
        return (reply?.status == 202, await child.stop() != 0)
    }

    /// The states of mails in the file that a daemon has left.
    func mailStates(_ receiver: String, kind: String) throws -> [String] {
        let file = try Connection(folder.path + "/accounts.db", .read)
        return try file.statement("SELECT state FROM mails WHERE receiver = ? AND kind = ?").all(.text(receiver), .text(kind)) { $0.text(0) }
    }
}
