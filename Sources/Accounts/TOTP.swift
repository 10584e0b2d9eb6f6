// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// Time-based one-time passwords (RFC 6238): six digits for each half minute, as all authenticator apps make them.
package enum TOTP {
    package static let digits = 6
    package static let periodSeconds: Int64 = 30
    private static let secretLength = 20
    private static let base32 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func makeSecret() -> [UInt8] { randomBytes(secretLength) }

    /// The number of the half minute.
    package static func step(at time: Timestamp) -> Int64 { time.milliseconds.flooredQuotient(by: periodSeconds * 1_000) }

    /// Returns the code of a step: `TOTP.code(secret, step: 1)` is `287082` for the secret of RFC 6238.
    package static func code(_ secret: [UInt8], step: Int64) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> Int64(56 - 8 * $0)) }
        let sum = HMACSHA1.authenticate(message, key: secret)
        let place = Int(sum[19] & 15)
        let number = sum[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// Returns the step of a right code, which the caller stores as the last one; nil for a wrong or used one.
    ///
    /// The steps before and after the present one count, because clocks differ. A step counts once, and an earlier one never again.
    package static func accept(_ code: String, secret: [UInt8], lastStep: Int64?, now: Timestamp) -> Int64? {
        let present = step(at: now)
        var found: Int64?
        // All three are compared, so the time does not tell which one it was.
        for step in present - 1...present + 1 {
            let isRight = constantTimeEqual(Array(self.code(secret, step: step).utf8), Array(code.utf8))
            if isRight, step > lastStep ?? .min, found == nil { found = step }
        }
        return found
    }

    /// Returns the secret as authenticator apps take it by hand: `JBSWY3DPEHPK3PXP`.
    package static func text(_ secret: [UInt8]) -> String {
        var out: [UInt8] = []
        var (pending, bits) = (UInt32(0), UInt32(0))
        for byte in secret {
            (pending, bits) = ((pending << 8 | UInt32(byte)) & 0xfff, bits + 8)
            while bits >= 5 {
                bits -= 5
                out.append(base32[Int(pending >> bits & 31)])
            }
        }
        if bits > 0 { out.append(base32[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Returns the address that a QR code shows: `otpauth://totp/Shop:ana%40example.org?secret=…&issuer=Shop`.
    package static func address(_ secret: [UInt8], issuer: String, account: String) -> String {
        let (issuer, account) = (issuer.percentEncoded, account.percentEncoded)
        return "otpauth://totp/\(issuer):\(account)?secret=\(text(secret))&issuer=\(issuer)&algorithm=SHA1&digits=\(digits)&period=\(periodSeconds)"
    }
}
