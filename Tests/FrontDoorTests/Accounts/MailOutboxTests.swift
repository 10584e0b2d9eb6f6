// SPDX-License-Identifier: Apache-2.0

import Accounts
import AcrossStores
import Database
import Foundation
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import AccountStore
@testable import ingestd

/// The outbox: retries, restarts and removal. A daemon that ends without settling stands for one that was killed: each step is a commit.
@Suite struct MailOutboxTests {
    private static let app = AppID(rawValue: 1)

    /// Runs a daemon that sends nothing itself, in a folder that outlives it.
    private static func step(
        _ folder: TemporaryFolder, _ body: @escaping @Sendable (LiveDaemon) async throws -> Void
    ) async throws {
        let clock = ManualClock(AccountWorld.now)
        try await withDaemon(in: folder, clock: clock.clock, sends: false, configure: { $0.mail = mailOptions }) { live in try await body(live) }
    }

    private static let mailOptions: MailOptions = {
        var options = MailOptions()
        (options.url, options.from) = ("smtp://localhost:1", "a@b.example")
        return options
    }()

    /// A folder with an account and a code that was asked for, and nothing done about it.
    private static func folderWithRequest() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try await AccountWorld.use(in: folder, methods: "password,code", configure: { $0.mail = mailOptions }) { world in
            _ = try await world.user()
            let body = #"{"kind": "reset_password", "email": "ana@example.org"}"#
            #expect(try await world.live.api.post("/v1/auth/codes", key: world.keys.ingest, body).status == 202)
        }
        return folder
    }

    @Test func `a daemon killed after the response sends the mail later`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let mail = try await live.daemon.store.accounts.claimMail(at: AccountWorld.now).mail
            #expect(mail?.receiver == "ana@example.org" && mail?.tries == 1 && mail?.code?.kind == .resetPassword)
        }
    }

    @Test func `a daemon killed before the hand-over sends the mail after a while`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let first = try await live.daemon.store.accounts.claimMail(at: AccountWorld.now).mail
            #expect(first != nil)
        }
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            let early = try await accounts.claimMail(at: AccountWorld.now + .minutes(1))
            #expect(early.mail == nil && early.nextDue == AccountWorld.now + .minutes(2))
            #expect(try await accounts.claimMail(at: AccountWorld.now + .minutes(2)).mail?.tries == 2)
        }
    }

    @Test func `a daemon killed after the hand-over never sends the mail again`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            let mail = try #require(try await accounts.claimMail(at: AccountWorld.now).mail)
            #expect(try await accounts.handOver(mail.id))
            #expect(try await !accounts.handOver(mail.id))
        }
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            let ana = try #require(EmailAddress("ana@example.org"))
            #expect(try await accounts.claimMail(at: AccountWorld.now + .minutes(30)).mail == nil)
            let account = try #require(try await accounts.account(Self.app, email: ana))
            #expect(try await accounts.mails(of: account).map(\.state) == [.unknown])
            // The code itself still works, for whoever got the mail.
            #expect(try await accounts.openCodes(Self.app).count == 1)
        }
    }

    @Test func `a mail whose code was used, or that came too late, is not sent`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            let mail = try #require(try await accounts.claimMail(at: AccountWorld.now).mail)
            let code = try #require(try await accounts.openCodes(Self.app).first?.code)
            _ = try await accounts.redeem(code, password: "$argon2id$x", AccountOrigin(method: "code", place: ""))
            #expect(try await !accounts.handOver(mail.id))
            // The address is proved by now, so the change is told.
            #expect(try await accounts.claimMail(at: AccountWorld.now + .minutes(3)).mail?.kind == nil)
        }
        let late = try await Self.folderWithRequest()
        try await Self.step(late) { live in
            let mail = try await live.daemon.store.accounts.claimMail(at: AccountWorld.now + .hours(2)).mail
            #expect(mail == nil)
        }
    }

    @Test func `deleting the account removes its codes and mails`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            let ana = try #require(EmailAddress("ana@example.org"))
            _ = try await accounts.claimMail(at: AccountWorld.now)
            let account = try #require(try await accounts.account(Self.app, email: ana))
            #expect(try await accounts.delete(uid: account.uid, Self.app, .erase, AccountOrigin(method: "admin", place: "")))
            let rows = try await accounts.read { file in
                try ["codes", "mails"].map { try file.statement("SELECT count(*) FROM \($0)").first { $0.int(0) } }
            }
            #expect(rows == [0, 0])
        }
    }

    @Test func `old codes and mails are removed, and those of deleted apps`() async throws {
        let folder = try await Self.folderWithRequest()
        try await Self.step(folder) { live in
            let accounts = live.daemon.store.accounts
            _ = try await accounts.claimMail(at: AccountWorld.now)
            @Sendable func count() async throws -> Int? {
                try await accounts.read { try $0.statement("SELECT (SELECT count(*) FROM codes) + (SELECT count(*) FROM mails)").first { $0.int(0) } }
            }
            #expect(try await count() == 2)
            try await accounts.change { _ = try $0.removeOldCodes(atMost: 10, at: AccountWorld.now + .days(3)) }
            #expect(try await count() == 1)
            _ = try await live.api.asOperator("DELETE", "/v1/apps/1")
            #expect(try await eventually { try await count() == 0 })
        }
    }

    @Test func `a restored file sends nothing and takes no code`() async throws {
        let folder = try await Self.folderWithRequest()
        try AccountStore.prepareRestored(folder.path + "/accounts.db")
        try await Self.step(folder) { live in
            let codes = try await live.daemon.store.accounts.openCodes(Self.app)
            let mail = try await live.daemon.store.accounts.claimMail(at: AccountWorld.now).mail
            #expect(codes.isEmpty && mail == nil)
        }
    }

    // MARK: With a mail server

    @Test func `a mail that the server defers is sent later, once`() async throws {
        let sink = try MailSink { step, connection in step == .rcpt && connection == 1 ? .reply("450 greylisted") : .usual }
        try await MailWorld.use(sink) { world in
            _ = try await world.accounts.user()
            #expect(try await world.ask("reset_password").status == 202)
            // The time of the next attempt is fixed before the failure is logged.
            #expect(try await eventually { world.accounts.live.log.text.contains("could not send a mail") })
            // Another request wakes the sender once the time has come.
            world.clock.advance(by: .minutes(2))
            #expect(try await world.ask("sign_in", "bob@example.org").status == 202)
            _ = try await sink.mails(2)
            #expect(Set(sink.mails.flatMap(\.receivers)) == ["ana@example.org", "bob@example.org"])
        }
    }

    @Test(arguments: [(MailSink.Step.rcpt, "550 no such user"), (.end, "550 spam")])
    func `a mail that the server rejects is not tried again`(step: MailSink.Step, reply: String) async throws {
        let sink = try MailSink { at, connection in at == step && connection == 1 ? .reply(reply) : .usual }
        try await MailWorld.use(sink) { world in
            _ = try await world.accounts.user()
            #expect(try await world.ask("reset_password").status == 202)
            #expect(try await eventually { try await Self.states(world) == [.failed] })
            world.clock.advance(by: .minutes(40))
            _ = try await world.mail("sign_in", "bob@example.org")
            #expect(sink.mails.count == 1 && sink.mails[0].receivers == ["bob@example.org"])
        }
    }

    @Test func `a server that hangs up after the last byte gets the mail once`() async throws {
        let sink = try MailSink { step, connection in step == .end && connection == 1 ? .keepsAndHangsUp : .usual }
        try await MailWorld.use(sink) { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("reset_password")
            #expect(try await eventually { try await Self.states(world) == [.unknown] })
            world.clock.advance(by: .minutes(40))
            _ = try await world.mail("sign_in", "bob@example.org")
            #expect(sink.mails.filter { $0.receivers == ["ana@example.org"] }.count == 1)
            #expect(try await world.redeem(mail.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
        }
    }

    private static func states(_ world: MailWorld) async throws -> [StoredMail.State] {
        let accounts = world.accounts.live.daemon.store.accounts
        guard let email = EmailAddress("ana@example.org"), let account = try await accounts.account(app, email: email) else { return [] }
        return try await accounts.mails(of: account).map(\.state)
    }

    @Test func `logs and the database contain no code`() async throws {
        let folder = TemporaryFolder()
        let codes = Mutex<[String]>([])
        try await MailWorld.use(in: folder) { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("reset_password")
            let found = [mail.code, mail.digits].compactMap(\.self)
            #expect(found.count == 2)
            codes.withLock { $0 = found }
            for code in found { #expect(!world.accounts.live.log.text.contains(code)) }
            #expect(!world.accounts.live.log.text.contains("ana@example.org"))
        }
        for name in try Folder.names(in: folder.path) where name.hasPrefix("accounts.db") {
            let bytes = try SmallFile.read(folder.path + "/" + name, limit: 64 << 20)
            for code in codes.withLock({ $0 }) { #expect(bytes.firstRange(of: Array(code.utf8)) == nil, "\(name)") }
        }
    }

    @Test func `development without a mail server shows mails in the log`() async throws {
        try await AccountWorld.use(methods: "code", sends: true, configure: { $0.mode = .development }) { world in
            let reply = try await world.live.api.post("/v1/auth/codes", key: world.keys.ingest, #"{"kind": "sign_in", "email": "ana@example.org"}"#)
            #expect(reply.status == 202, "\(reply.text)")
            #expect(try await eventually { world.live.log.text.contains("mail not sent because accounts.mail.url is not set") })
            let shown = world.live.log.text.components(separatedBy: "Code: ").last ?? ""
            let digits = String(shown.prefix(9).filter(\.isNumber))
            let body = #"{"method": "code", "code": "\#(digits)", "email": "ana@example.org"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, body).status == 201)
        }
    }
}
