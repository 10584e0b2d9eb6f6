// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

/// Mails through libcurl to a server on this machine.
@Suite struct MailTransferTests {
    private static let message = Array("Subject: Hello\r\n\r\n.one dot\r\nend\r\n".utf8)

    private static func send(
        to sink: MailSink, user: String? = nil, beforeEnd: @escaping @Sendable () -> Bool = { true }
    ) throws -> MailResult {
        var server = try #require(MailServer(url: sink.url))
        if let user { (server.user, server.password) = (user, Secret("secret of ana")) }
        server.timeout = .seconds(30)
        return MailTransfer(try MailEnvelope(from: "shop@example.org", to: "ana@example.org", message: message), to: server, beforeEnd: beforeEnd)
            .run()
    }

    @Test func `a mail arrives as it is, with its dots`() throws {
        let sink = try MailSink()
        let asked = Atomic(0)
        let result = try Self.send(to: sink) {
            asked.add(1, ordering: .relaxed)
            return true
        }
        #expect(result == MailResult(.accepted, code: 250))
        #expect(sink.mails.count == 1 && asked.load(ordering: .relaxed) == 1)
        #expect(sink.mails.first?.from == "shop@example.org" && sink.mails.first?.receivers == ["ana@example.org"])
        #expect(sink.mails.first?.text == "Subject: Hello\n\n.one dot\nend")
    }

    @Test func `a server with accounts gets the credentials`() throws {
        let sink = try MailSink()
        #expect(try Self.send(to: sink, user: "shop").outcome == .accepted)
        #expect(sink.commands.contains { $0.hasPrefix("AUTH PLAIN") })
    }

    @Test(arguments: [
        (MailSink.Step.mail, "550 no", MailResult.Outcome.rejected, 550), (.rcpt, "550 no such user", .rejected, 550),
        (.data, "554 no", .rejected, 554),
        (.end, "550 spam", .rejected, 550), (.mail, "451 later", .deferred, 451), (.rcpt, "450 greylisted", .deferred, 450),
        (.end, "452 full", .deferred, 452), (.greeting, "421 busy", .deferred, 421), (.greeting, "554 no service", .deferred, 554),
        (.auth, "535 wrong password", .deferred, 535),
    ])
    func `a reply decides whether the mail is tried again`(step: MailSink.Step, reply: String, outcome: MailResult.Outcome, code: Int) throws {
        let sink = try MailSink { at, _ in at == step ? .reply(reply) : .usual }
        let result = try Self.send(to: sink, user: "shop")
        #expect(result.outcome == outcome && result.code == code, "\(result)")
        #expect(sink.mails.isEmpty && !result.reason.isEmpty)
    }

    @Test(arguments: [
        (MailSink.Step.greeting, MailResult.Outcome.deferred), (.ehlo, .deferred), (.mail, .deferred), (.rcpt, .deferred), (.data, .deferred),
        (.end, .unknown),
    ])
    func `a connection that breaks leaves a mail in doubt only after its last byte`(step: MailSink.Step, outcome: MailResult.Outcome) throws {
        let sink = try MailSink { at, _ in at == step ? .keepsAndHangsUp : .usual }
        #expect(try Self.send(to: sink).outcome == outcome)
    }

    @Test func `a mail that is withdrawn at the end never arrives`() throws {
        let sink = try MailSink()
        #expect(try Self.send(to: sink) { false }.outcome == .withdrawn)
        #expect(sink.mails.isEmpty)
    }

    @Test func `nobody listens`() throws {
        let server = try #require(MailServer(url: "smtp://127.0.0.1:1"))
        let envelope = try MailEnvelope(from: "a@b.c", to: "d@e.f", message: Self.message)
        #expect(MailTransfer(envelope, to: server) { true }.run().outcome == .deferred)
    }

    @Test func `a server elsewhere must encrypt`() throws {
        let sink = try MailSink()
        // Another name of this machine, so the rule for other machines applies.
        let server = try #require(MailServer(url: "smtp://127.0.0.2:\(sink.port)"))
        #expect(server.needsTLS && MailServer(url: "smtp://localhost:25")?.needsTLS == false)
        let plain = try #require(MailServer(url: "smtp://LOCALHOST:\(sink.port)"))
        #expect(plain.needsTLS)
        let envelope = try MailEnvelope(from: "a@b.c", to: "d@e.f", message: Self.message)
        let result = MailTransfer(envelope, to: plain) { true }.run()
        #expect(result.outcome == .deferred && sink.mails.isEmpty && !sink.commands.contains { $0.hasPrefix("MAIL") }, "\(result)")
    }

    @Test(arguments: [
        "ana@example.org\r\nRCPT TO:<eve@example.org>", "ana@example.org\n", "<ana@example.org>", "ana@example.org>", "a b@example.org",
        "\"ana\"@example.org", "ana", "@example.org", "ana@", "a@b@c", "a,b@example.org", "", "ana@example.org\u{0}", "ana@example.org\u{85}",
        "ana@example.org\u{2028}",
    ])
    func `an address cannot add a command or a receiver`(address: String) {
        #expect(throws: HTTPClientError.self) { try MailEnvelope(from: "a@b.c", to: address, message: [1]) }
        #expect(throws: HTTPClientError.self) { try MailEnvelope(from: address, to: "a@b.c", message: [1]) }
    }

    @Test func `no hostile text around an address is accepted`() {
        for text in HostileText.around("<>") { #expect(!MailEnvelope.isPlain("ana\(text)@example.org"), "\(text.debugDescription)") }
    }

    @Test(arguments: [
        "http://mail.example.org", "smtp://", "smtp:///path", "smtp://user:secret@mail.example.org", "smtp://mail.example.org:0",
        "smtp://mail.example.org:99999", "smtp://mail.example.org:x", "smtp://mail.example.org/a/b", "smtp://mail.example.org?x=1", "smtp://[::1",
        "smtp://mail example.org", "smtp://mail.example.org\r\nx", "mail.example.org", "SMTP://mail.example.org", "smtp://[x]",
    ])
    func `a URL of anything else is no mail server`(url: String) {
        #expect(MailServer(url: url) == nil)
    }

    @Test func `the URL of a mail server`() {
        for url in ["smtp://mail.example.org", "smtps://mail.example.org:465", "smtp://[::1]:25", "smtp://mail.example.org:587/shop.example"] {
            #expect(MailServer(url: url) != nil, "\(url)")
        }
    }
}
