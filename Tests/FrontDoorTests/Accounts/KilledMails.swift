// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import SQLite
import TestSupport
import Testing

/// A data folder with an account whose address is proved, whose daemon is killed, and a mail server that outlives it.
struct KilledMails: Sendable {
    /// The time after which a mail that a killed daemon had claimed is settled.
    static let lease = Duration.seconds(180)

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
    func code(of kind: String, _ email: String) async throws -> String { try await code(202) { _ in ask(kind, email) } }

    /// Sends a request that leads to a mail, and returns its code.
    func code(_ status: Int, _ request: (DaemonProcess) async throws -> [UInt8]) async throws -> String {
        let child = try await DaemonProcess.start(in: folder.path, environment: environment)
        let bytes = try await request(child)
        let before = sink.mails.count
        #expect(try await child.api.request(bytes).status == status)
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

    /// Starts the daemon, sends a request and kills the daemon before a call that changes a file. Returns the response, if it came before, and
    /// the number of calls until then.
    func reply(killingAt call: Int, _ request: (KilledMails) -> [UInt8]) async throws -> (reply: Reply?, calls: Int) {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: environment.merging(shim.environment) { $1 })
        shim.kill(at: call)
        let reply = try? await child.api.request(request(self))
        let calls = shim.calls
        shim.heal()
        await child.killHard()
        return (reply, calls)
    }

    /// Returns the calls before which the daemon is killed during a request that succeeds without a kill, in a copy of the folder.
    func calls(of request: (KilledMails) -> [UInt8]) async throws -> StrideThrough<Int> {
        let round = try copy()
        let (reply, calls) = try await round.reply(killingAt: .max, request)
        let status = try #require(reply).status
        #expect((200..<300).contains(status) && calls > 1, "status \(status), \(calls) calls")
        // Its mail does not arrive among those of the next one.
        let later = try await DaemonProcess.start(in: round.folder.path, environment: environment)
        #expect(await later.stop() == 0)
        return KilledCalls.some(of: calls)
    }

    /// Sends a request that leads to one mail, and kills the daemon before a call that changes a file, if there are as many until the mail is
    /// settled.
    ///
    /// - Parameter request: Makes the request before calls are counted.
    func send(killingAt call: Int, _ request: (DaemonProcess) async throws -> [UInt8]) async throws -> Sent {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: environment.merging(shim.environment) { $1 })
        let bytes = try await request(child)
        shim.kill(at: call)
        let reply = try? await child.api.request(bytes)
        #expect(
            try await eventually {
                guard let metrics = try? await child.api.get("/metrics") else { return true }
                return try metrics.text.contains(#"signalbox_mail_attempts_total{result="accepted"} 1"#) && areMailsSettled
            })
        // An orderly stop changes files too, which is no step of the request.
        let calls = shim.calls
        shim.heal()
        return Sent(isAnswered: reply.map { $0.status < 300 } ?? false, isKilled: await child.stop() != 0, calls: calls)
    }

    /// The outcome of a request that leads to a mail.
    struct Sent {
        var isAnswered: Bool
        var isKilled: Bool
        /// The number of calls that change a file, until the mail was settled or the daemon killed.
        var calls: Int
    }

    /// Returns the calls before which the daemon is killed during a request and until its mail is settled, in a copy of the folder.
    func callsUntilSettled(_ request: (KilledMails, DaemonProcess) async throws -> [UInt8]) async throws -> StrideThrough<Int> {
        let round = try copy()
        let sent = try await round.send(killingAt: .max) { try await request(round, $0) }
        #expect(sent.isAnswered && !sent.isKilled && sent.calls >= 4, "\(sent)")
        return KilledCalls.some(of: sent.calls)
    }

    /// The mails to an address, once a later mail to another one shows that no more will come.
    func settledMails(to receiver: String, after before: Int, _ later: DaemonProcess) async throws -> [ReceivedMail] {
        #expect(try await later.api.request(ask("sign_in", "eve@example.org")).status == 202)
        #expect(try await eventually { sink.mails.dropFirst(before).contains { $0.receivers == ["eve@example.org"] } })
        return sink.mails.dropFirst(before).filter { $0.receivers == [receiver] }
    }

    /// Whether no mail waits or is with the mail server.
    private var areMailsSettled: Bool {
        get throws {
            let file = try Connection(folder.path + "/accounts.db", .read)
            return try file.statement("SELECT 1 FROM mails WHERE state IN ('due', 'handed')").all { $0.integer(0) }.isEmpty
        }
    }

    /// Begins a session and returns its ID token.
    func token(_ child: DaemonProcess) async throws -> String {
        try AccountWorld.Session(try await child.api.request(signIn(AccountWorld.password))).token
    }

    /// The states of mails in the file that a daemon has left.
    func mailStates(_ receiver: String, kind: String) throws -> [String] {
        let file = try Connection(folder.path + "/accounts.db", .read)
        return try file.statement("SELECT state FROM mails WHERE receiver = ? AND kind = ?").all(.text(receiver), .text(kind)) { $0.text(0) }
    }
}
