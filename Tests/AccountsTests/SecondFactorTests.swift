// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Platform
import Testing

struct SecondFactorTests {
    private let secret = Array("12345678901234567890".utf8)

    /// Appendix B of RFC 6238, the last six digits.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"), (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func `published codes match`(seconds: Int64, code: String) {
        let now = Timestamp(milliseconds: seconds * 1_000)
        #expect(TOTP.code(secret, step: TOTP.step(at: now)) == code)
        #expect(TOTP.accept(code, secret: secret, lastStep: nil, now: now) == TOTP.step(at: now))
    }

    @Test func `a code counts for three half minutes, and once`() throws {
        let now = Timestamp(milliseconds: 1_790_000_010_000)
        let step = TOTP.step(at: now)
        for away in -3...3 as ClosedRange<Int64> {
            let code = TOTP.code(secret, step: step + away)
            #expect(TOTP.accept(code, secret: secret, lastStep: nil, now: now) == (abs(away) <= 1 ? step + away : nil))
            #expect(TOTP.accept(code, secret: secret, lastStep: step + away, now: now) == nil)
            // A later code was used: an earlier one is dead.
            #expect(TOTP.accept(code, secret: secret, lastStep: step + 1, now: now) == nil)
        }
        let code = TOTP.code(secret, step: step)
        for wrong in ["", "1", code + "0", " " + code, String(code.dropLast()), "\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}"] {
            #expect(TOTP.accept(wrong, secret: secret, lastStep: nil, now: now) == nil)
        }
        #expect(TOTP.accept(code, secret: TOTP.makeSecret(), lastStep: nil, now: now) == nil)
        #expect(TOTP.makeSecret().count == 20)
    }

    /// Section 10 of RFC 4648.
    @Test func `a secret is written in base 32 and as an address`() {
        for (text, base) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
        ] {
            #expect(TOTP.text(Array(text.utf8)) == base)
        }
        #expect(
            TOTP.address(Array("foobar".utf8), issuer: "Shop & Co", account: "ana@x.org")
                == "otpauth://totp/Shop%20%26%20Co:ana%40x.org?secret=MZXW6YTBOI&issuer=Shop%20%26%20Co&algorithm=SHA1&digits=6&period=30")
    }

    @Test func `recovery codes are distinct, and found in any spelling`() {
        let (key, codes) = (AccountsKey.make(), RecoveryCodes.make())
        #expect(Set(codes).count == 10 && codes.allSatisfy { $0.utf8.count == 11 })
        let stored = RecoveryCodes.stored(codes[0], account: "ana", key)
        for spelling in [codes[0].uppercased(), codes[0].replacing("-", with: " "), codes[0].replacing("-", with: "")] {
            #expect(RecoveryCodes.stored(spelling, account: "ana", key) == stored)
        }
        #expect(RecoveryCodes.stored(codes[1], account: "ana", key) != stored && RecoveryCodes.stored(codes[0], account: "eva", key) != stored)
        #expect(RecoveryCodes.stored(codes[0], account: "ana", .make()) != stored)
    }
}
