// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform
import TestSupport
import Testing

@testable import Delivery

@Suite struct MailMessageTests {
    private static func message(subject: String = "Hello", text: String = "Hi", html: String? = "<p>Hi</p>", name: String = "Shop") throws -> String {
        let from = try #require(MailAddress("\(name) <no-reply@shop.example>"))
        let message = MailMessage(
            from: from, to: "ana@example.org", subject: subject, text: text, html: html, date: Timestamp(milliseconds: 1_796_000_000_000), id: "17.4")
        return String(decoding: message.bytes, as: UTF8.self)
    }

    @Test func `a message has its headers and both parts`() throws {
        let expected = """
            From: Shop <no-reply@shop.example>
            To: <ana@example.org>
            Subject: Hello
            Date: Mon, 30 Nov 2026 00:53:20 +0000
            Message-ID: <17.4@shop.example>
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: multipart/alternative; boundary="=_signalbox_17.4"

            --=_signalbox_17.4
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Hi
            --=_signalbox_17.4
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <p>Hi</p>
            --=_signalbox_17.4--

            """
        #expect(try Self.message() == expected.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    }

    @Test func `no foreign text ends a header or begins another`() throws {
        for token in ["\r\nBcc: eve@example.org", "\n\n<b>", "=?UTF-8?Q?x?="] {
            for text in HostileText.around(token) {
                for part in [try Self.message(subject: "Shop \(text)"), MailHeader("Subject", text: text).line] {
                    let bytes = Array(part.utf8)
                    let head = bytes[..<(bytes.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound ?? bytes.endIndex)]
                    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
                    #expect(!lines.contains { $0.hasPrefix("Bcc") || $0.isEmpty }, "\(text.debugDescription)")
                    #expect(head.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a }, "\(text.debugDescription)")
                }
            }
        }
        #expect(MailHeader("Subject", text: "Grüße").line == "Subject: =?UTF-8?B?R3LDvMOfZQ==?=")
        #expect(MailHeader("Subject", text: "=?UTF-8?Q?x?=").line.hasPrefix("Subject: =?UTF-8?B?"))
    }

    @Test func `long text in a header is folded between characters`() throws {
        let text = String(repeating: "ü€", count: 100)
        for line in MailHeader("Subject", text: text).line.split(separator: "\r\n") { #expect(line.utf8.count <= 76, "\(line)") }
        #expect(try Self.message(name: "Shop \"a\" (b)").hasPrefix("From: =?UTF-8?B?"))
    }

    @Test func `text becomes short lines of ASCII and reads back`() {
        let text = "Grüße = \u{1F600}\t \n.dot\n" + String(repeating: "long ", count: 100) + "\nend "
        let encoded = QuotedPrintable.encode(text)
        let lines = String(decoding: encoded, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.last != " " && $0.last != "\t" })
        #expect(encoded.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 })
        #expect(String(decoding: encoded, as: UTF8.self).hasPrefix("Gr=C3=BC=C3=9Fe =3D =F0=9F=98=80\t=20\r\n"))
    }

    @Test(arguments: [
        ("Shop <a@b.example>", "Shop", "a@b.example"), ("a@b.example", "", "a@b.example"),
        ("Grüner Laden <a@b.example>", "Grüner Laden", "a@b.example"),
        ("<a@b.example>", "", "a@b.example"),
    ])
    func `the sender of mails`(text: String, name: String, address: String) throws {
        let parsed = try #require(MailAddress(text))
        #expect(parsed.name == name && parsed.address == address)
    }

    @Test(arguments: ["", "Shop", "Shop <a@b", "Shop <a@b.c> x", "Shop <a\r\n@b.c>", "Shop\r\n <a@b.c>", "<<a@b.c>>", "a@b.c, d@e.f"])
    func `no other sender is accepted`(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test func `a mail is tried at once and after 1, 5 and 30 minutes, while its code lives`() {
        let now = Timestamp(milliseconds: 0)
        func verdict(_ outcome: MailOutcome, _ attempt: Int, life: Timestamp.Span = .hours(1)) -> MailVerdict {
            MailRetries.verdict(outcome, attempt: attempt, at: now, expires: now + life)
        }
        #expect(verdict(.deferred, 1) == .retry(at: now + .minutes(1)))
        #expect(verdict(.deferred, 2) == .retry(at: now + .minutes(4)))
        #expect(verdict(.deferred, 3) == .retry(at: now + .minutes(25)))
        #expect(verdict(.deferred, 4) == .failed)
        #expect(verdict(.deferred, 3, life: .minutes(10)) == .expired)
        #expect(verdict(.rejected, 1) == .failed && verdict(.accepted, 1) == .sent && verdict(.unknown, 1) == .unknown)
    }
}
