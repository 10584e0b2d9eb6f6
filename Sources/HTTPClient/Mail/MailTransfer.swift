// SPDX-License-Identifier: Apache-2.0

import CCurl
import Platform
import Synchronization

/// One mail on its way to a server, over libcurl's SMTP.
///
///     EHLO, STARTTLS, AUTH, MAIL, RCPT, DATA    an error until here: the server does not have the mail
///     beforeEnd()                               the caller notes that from here on the server may have it
///     the last bytes, reply                     accepted, rejected, or a broken connection: unknown
///
/// `@unchecked Sendable`: only the thread of `run` uses the state, except the flag.
package final class MailTransfer: @unchecked Sendable {
    private let envelope: MailEnvelope
    private let server: MailServer
    private let beforeEnd: @Sendable () -> Bool
    private let isCancelled = Atomic(false)

    private var sent = 0
    private var isHandedOver = false
    private var isWithdrawn = false

    /// - Parameter beforeEnd: Called on the thread of `run` before the last bytes are sent. False ends the exchange without them.
    package init(_ envelope: MailEnvelope, to server: MailServer, beforeEnd: @escaping @Sendable () -> Bool) {
        (self.envelope, self.server, self.beforeEnd) = (envelope, server, beforeEnd)
    }

    /// Ends the exchange within a second, unless the mail has been handed over.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Sends the mail on this thread.
    package func run() -> MailResult {
        do {
            var handle = try EasyHandle()
            try prepare(&handle)
            do {
                try handle.perform()
                return MailResult(.accepted, code: handle.status)
            } catch let error as HTTPClientError {
                return result(of: error, code: handle.status)
            }
        } catch {
            return MailResult(.deferred, reason: (error as? HTTPClientError)?.message ?? "\(error)")
        }
    }

    private func result(of error: HTTPClientError, code: Int) -> MailResult {
        if isWithdrawn || shouldStop { return MailResult(.withdrawn, code: code, reason: "withdrawn") }
        // A refused login says nothing about the mail, and a refused greeting neither.
        let isOfMail = isHandedOver || error.code == .init(rawValue: Int32(CURLE_SEND_ERROR.rawValue))
        if isOfMail, (500..<600).contains(code) { return MailResult(.rejected, code: code, reason: "the mail server replied \(code)") }
        if isHandedOver, !(400..<500).contains(code) { return MailResult(.unknown, code: code, reason: error.message) }
        return MailResult(.deferred, code: code, reason: code >= 400 ? "the mail server replied \(code)" : error.message)
    }

    // MARK: Options

    private func prepare(_ handle: inout EasyHandle) throws {
        try handle.set(CURLOPT_URL, server.url)
        try handle.setDefaultOptions()
        try handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        try handle.set(CURLOPT_USE_SSL, server.needsTLS ? Int(CURLUSESSL_ALL.rawValue) : Int(CURLUSESSL_NONE.rawValue))
        if let authorities = server.authorities { try handle.set(CURLOPT_CAINFO, authorities) }
        if let user = server.user { try handle.set(CURLOPT_USERNAME, user) }
        if let password = server.password { try handle.set(CURLOPT_PASSWORD, password.revealed) }
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, min(server.timeout, .seconds(15)))
        try handle.set(CURLOPT_TIMEOUT_MS, server.timeout)
        try handle.set(CURLOPT_MAIL_FROM, "<\(envelope.from)>")
        try handle.setReceiversOfMail(["<\(envelope.to)>"])
        try handle.set(CURLOPT_UPLOAD, 1)
        // Unretained: `run` is a method of this object, which lives until the exchange ends.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        try handle.setSource(owner) { buffer, size, count, context in
            guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
            return Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue().supply(
                UnsafeMutableRawBufferPointer(start: buffer, count: size &* count))
        }
        try handle.setProgress(owner) { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue().shouldStop ? 1 : 0
        }
    }

    private var shouldStop: Bool { !isHandedOver && isCancelled.load(ordering: .relaxed) }

    /// Copies the next bytes. libcurl turns lines with a single dot into those of SMTP, and ends the mail after the last ones.
    private func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let rest = envelope.message[sent...]
        if rest.isEmpty { return 0 }
        if rest.count <= buffer.count {
            guard !shouldStop, beforeEnd() else {
                isWithdrawn = true
                return Int(CURL_READFUNC_ABORT)
            }
            isHandedOver = true
        }
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        sent += part.count
        return part.count
    }
}
