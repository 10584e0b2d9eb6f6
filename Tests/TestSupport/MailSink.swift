// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A mail that a server received.
package struct ReceivedMail: Sendable {
    package var from: String
    package var receivers: [String]
    /// The message with LF line ends and without the dots of SMTP.
    package var text: String

    /// The value of a header field of the message, unfolded.
    package func header(_ name: String) -> String? {
        let head = text.components(separatedBy: "\n\n")[0].replacingOccurrences(of: "\n ", with: " ")
        return head.components(separatedBy: "\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    /// The text part, decoded.
    package var plain: String {
        let parts = text.components(separatedBy: "Content-Transfer-Encoding: quoted-printable\n\n")
        guard parts.count > 1 else { return text }
        return ReceivedMail.decoded(parts[1].components(separatedBy: "\n--=_signalbox")[0])
    }

    /// The first URL of the text part.
    package var link: String? {
        plain.split { $0 == " " || $0 == "\n" }.first { $0.hasPrefix("http") }.map(String.init)
    }

    /// The eight digits of the text part.
    package var digits: String? {
        plain.components(separatedBy: "Code: ").dropFirst().first.map { $0.prefix(9).filter(\.isNumber) }
    }

    /// The code in the link.
    package var code: String? {
        link?.components(separatedBy: "oobCode=").dropFirst().first.map { String($0.prefix { $0 != "&" }) }
    }

    private static func decoded(_ text: String) -> String {
        var (out, rest) = ([UInt8](), Array(text.replacingOccurrences(of: "=\n", with: "").utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                out.append(value)
                rest = rest.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

/// A mail server on loopback without encryption. A script decides its replies, and it records commands and mails.
package final class MailSink: Sendable {
    /// The point at which the script is asked.
    package enum Step: String, Sendable {
        case greeting, ehlo, auth, mail, rcpt, data, end
    }

    package enum Manner: Sendable {
        /// The reply of a server that takes everything.
        case usual
        case reply(String)
        case hangsUp
        /// Keeps the mail and hangs up without a reply.
        case keepsAndHangsUp
    }

    /// Shared with the threads, which do not retain the sink.
    private final class Shared: Sendable {
        struct State {
            var mails: [ReceivedMail] = []
            var commands: [String] = []
            var connections = 0
            var isOver = false
        }

        let state = Mutex(State())
        let script: @Sendable (Step, Int) -> Manner

        init(_ script: @escaping @Sendable (Step, Int) -> Manner) {
            self.script = script
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let shared: Shared

    /// - Parameter script: Receives the step and the number of the connection, from 1.
    package init(_ script: @escaping @Sendable (Step, Int) -> Manner = { _, _ in .usual }) throws {
        let shared = Shared(script)
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let number = shared.state.withLock { state -> Int? in
                    state.connections += 1
                    return state.isOver ? nil : state.connections
                }
                guard let number else {
                    close(connection)
                    break
                }
                Thread.detachNewThread {
                    MailConversation(connection, number).run(shared.script) { command in
                        shared.state.withLock { $0.commands.append(command) }
                    } received: { mail in
                        shared.state.withLock { $0.mails.append(mail) }
                    }
                    close(connection)
                }
            }
            close(listener)
        }
        (self.shared, self.listener, self.port) = (shared, listener, port)
    }

    deinit {
        shared.state.withLock { $0.isOver = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    package var url: String { "smtp://127.0.0.1:\(port)" }
    package var mails: [ReceivedMail] { shared.state.withLock { $0.mails } }
    package var commands: [String] { shared.state.withLock { $0.commands } }
    package var connections: Int { shared.state.withLock { $0.connections } }

    /// Waits for a number of mails and returns them.
    package func mails(_ count: Int) async throws -> [ReceivedMail] {
        _ = try await eventually { self.mails.count >= count }
        return mails
    }
}

/// The server's side of one connection.
private struct MailConversation {
    private let connection: Int32
    private let number: Int

    init(_ connection: Int32, _ number: Int) {
        (self.connection, self.number) = (connection, number)
    }

    func run(
        _ script: (MailSink.Step, Int) -> MailSink.Manner, command note: (String) -> Void, received: (ReceivedMail) -> Void
    ) {
        var lines = MailLines(connection)
        var mail = ReceivedMail(from: "", receivers: [], text: "")
        guard answer(script(.greeting, number), "220 sink ESMTP") else { return }
        while let line = lines.next() {
            note(line)
            // The credentials follow in a line of their own.
            if line.uppercased() == "AUTH PLAIN", !answer(.usual, "334 ") || lines.next() == nil { return }
            let (step, usual) = MailConversation.reply(to: line)
            if line.uppercased().hasPrefix("MAIL FROM:") { mail = ReceivedMail(from: MailConversation.path(line), receivers: [], text: "") }
            if line.uppercased().hasPrefix("RCPT TO:") { mail.receivers.append(MailConversation.path(line)) }
            guard answer(step.map { script($0, number) } ?? .usual, usual) else { return }
            if line.uppercased() == "QUIT" { return }
            guard line.uppercased() == "DATA", case .usual = script(.data, number) else { continue }
            guard let text = lines.message() else { return }
            mail.text = text
            let manner = script(.end, number)
            switch manner {
            case .usual, .keepsAndHangsUp: received(mail)
            case .reply, .hangsUp: break
            }
            guard answer(manner, "250 taken") else { return }
        }
    }

    private static func reply(to line: String) -> (MailSink.Step?, String) {
        let word = line.uppercased()
        if word.hasPrefix("EHLO") { return (.ehlo, "250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN") }
        if word.hasPrefix("AUTH") { return (.auth, "235 welcome") }
        if word.hasPrefix("MAIL") { return (.mail, "250 ok") }
        if word.hasPrefix("RCPT") { return (.rcpt, "250 ok") }
        if word == "DATA" { return (.data, "354 go ahead") }
        return (nil, word == "QUIT" ? "221 bye" : "250 ok")
    }

    private static func path(_ line: String) -> String {
        String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
    }

    /// Returns false if the connection is over.
    private func answer(_ manner: MailSink.Manner, _ usual: String) -> Bool {
        switch manner {
        case .usual: Loopback.send(Array((usual + "\r\n").utf8)[...], connection)
        case .reply(let text): Loopback.send(Array((text + "\r\n").utf8)[...], connection)
        case .hangsUp, .keepsAndHangsUp: false
        }
    }
}

/// The lines that a client sends.
private struct MailLines {
    private let connection: Int32
    private var rest: [UInt8] = []

    init(_ connection: Int32) {
        self.connection = connection
    }

    mutating func next() -> String? {
        while true {
            if let end = rest.firstRange(of: [0x0d, 0x0a]) {
                let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest.removeFirst(end.upperBound)
                return line
            }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            rest += chunk[..<count]
        }
    }

    /// The lines up to a single dot.
    mutating func message() -> String? {
        var lines: [String] = []
        while let line = next() {
            if line == "." { return lines.joined(separator: "\n") }
            lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
        }
        return nil
    }
}
