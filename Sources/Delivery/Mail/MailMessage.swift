// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A mail with a text and an HTML part (MIME, RFC 2045 and 2046).
///
///     From, To, Subject, Date, Message-ID
///     multipart/alternative: text/plain, text/html, both in UTF-8 as quoted-printable
package struct MailMessage: Sendable {
    package var from: MailAddress
    package var to: String
    package var subject: String
    package var text: String
    package var html: String?
    package var date: Timestamp
    /// The same at each attempt, so that receivers can recognise a mail that they got before.
    package var id: String

    package init(from: MailAddress, to: String, subject: String, text: String, html: String?, date: Timestamp, id: String) {
        (self.from, self.to, self.subject, self.text, self.html, self.date, self.id) = (from, to, subject, text, html, date, id)
    }

    /// The message with CR LF line ends.
    package var bytes: [UInt8] {
        let boundary = "=_signalbox_\(id)"
        let headers = [
            MailHeader("From", from), MailHeader("To", made: "<\(to)>"), MailHeader("Subject", text: subject), MailHeader("Date", made: date.rfc5322),
            MailHeader("Message-ID", made: "<\(id)@\(from.domain)>"), MailHeader("Auto-Submitted", made: "auto-generated"),
            MailHeader("MIME-Version", made: "1.0"),
            MailHeader("Content-Type", made: html == nil ? "text/plain; charset=utf-8" : "multipart/alternative; boundary=\"\(boundary)\""),
        ]
        var out = headers.map { Array("\($0.line)\r\n".utf8) }.joined().map(\.self)
        guard let html else { return out + MailMessage.encoding + QuotedPrintable.encode(text) }
        out += Array("\r\n".utf8)
        for (type, part) in [("plain", text), ("html", html)] {
            out += Array("--\(boundary)\r\nContent-Type: text/\(type); charset=utf-8\r\n".utf8) + MailMessage.encoding + QuotedPrintable.encode(part)
        }
        return out + Array("--\(boundary)--\r\n".utf8)
    }

    private static let encoding = Array("Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8)
}

/// Text as lines of at most 76 ASCII characters.
///
///     Grüße =     Gr=C3=BC=C3=9Fe =3D
enum QuotedPrintable {
    private static let mostInLine = 75

    static func encode(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        for line in Array(text.utf8).split(separator: 0x0a, omittingEmptySubsequences: false) {
            appendLine(line.last == 0x0d ? line.dropLast() : line, to: &out)
        }
        return out
    }

    private static func appendLine(_ line: ArraySlice<UInt8>, to out: inout [UInt8]) {
        var length = 0
        var rest = line
        while let byte = rest.popFirst() {
            // A blank at the end of a line would be lost.
            let isBlank = (byte == 0x20 || byte == 0x09) && !rest.isEmpty
            let isPlain = isBlank || (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "=")
            let width = isPlain ? 1 : 3
            if length + width > mostInLine {
                out += [UInt8(ascii: "="), 0x0d, 0x0a]
                length = 0
            }
            if isPlain { out.append(byte) } else { out += escape(byte) }
            length += width
        }
        out += [0x0d, 0x0a]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func escape(_ byte: UInt8) -> [UInt8] { [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
}

extension Timestamp {
    /// The form of mail headers: `Thu, 26 Nov 2026 07:11:03 +0000`.
    var rfc5322: String {
        let text = Array(rfc3339.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let day = Int64(milliseconds.flooredQuotient(by: Day.milliseconds))
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((day % 7 + 7) % 7)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = months[(Int(part(5..<7)) ?? 1) - 1]
        return "\(weekday), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) +0000"
    }
}
