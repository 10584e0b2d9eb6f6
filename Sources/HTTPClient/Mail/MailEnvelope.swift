// SPDX-License-Identifier: Apache-2.0

/// A mail as it is handed to a server: who sends it, who receives it, and its bytes.
package struct MailEnvelope: Sendable {
    let from: String
    let to: String
    let message: [UInt8]

    /// Throws `invalidRequest` for an address that would add a command or a receiver: libcurl sends line ends in addresses as they are.
    package init(from: String, to: String, message: [UInt8]) throws(HTTPClientError) {
        guard MailEnvelope.isPlain(from), MailEnvelope.isPlain(to) else {
            throw HTTPClientError(.invalidRequest, "an address contains a character that mail gives a meaning")
        }
        guard !message.isEmpty else { throw HTTPClientError(.invalidRequest, "the mail is empty") }
        (self.from, self.to, self.message) = (from, to, message)
    }

    /// Whether an address has one `@` between other characters, and none that SMTP or a header gives a meaning.
    package static func isPlain(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        let special = Array("\"<>()[],;:\\".utf8)
        guard (3...320).contains(bytes.count), bytes.filter({ $0 == UInt8(ascii: "@") }).count == 1, bytes.first != UInt8(ascii: "@"),
            bytes.last != UInt8(ascii: "@"), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f && !special.contains($0) })
        else { return false }
        return address.unicodeScalars.allSatisfy { $0.isASCII || !($0.properties.isWhitespace || (0x80..<0xa0).contains($0.value)) }
    }
}

/// The result of handing over a mail.
package struct MailResult: Sendable, Equatable {
    package enum Outcome: String, Sendable {
        /// The server has taken the mail.
        case accepted
        /// The server rejected this mail for good (5xx).
        case rejected
        /// The server does not take the mail now (4xx), or could not be reached.
        case deferred
        /// The connection broke after the whole mail was sent, so the server may have taken it.
        case unknown
        /// `beforeEnd` did not allow the mail to be completed.
        case withdrawn
    }

    package var outcome: Outcome
    /// The last reply of the server; 0 without one.
    package var code: Int
    package var reason: String

    package init(_ outcome: Outcome, code: Int = 0, reason: String = "") {
        (self.outcome, self.code, self.reason) = (outcome, code, reason)
    }
}
