// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct KeyDerivationTests {
    /// Test cases 1 and 3 of RFC 5869.
    @Test func `published keys of HKDF match`() throws {
        let secret = [UInt8](repeating: 0x0b, count: 22)
        let salted = HKDF.key(secret, salt: Array(0...12), info: Array(0xf0...0xf9), length: 42)
        #expect(Hex.encode(salted) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let plain = HKDF.key(secret, info: "", length: 42)
        #expect(Hex.encode(plain) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
        #expect(HKDF.key(secret, info: "a") != HKDF.key(secret, info: "b"))
    }

    /// Vectors of RFC 6070 (SHA-1) and RFC 7914, section 11 (SHA-256).
    @Test func `published keys of PBKDF2 match`() throws {
        let (password, salt) = (Array("password".utf8), Array("salt".utf8))
        for (rounds, key) in [(1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"), (4_096, "4b007901b765489abead49d926f721d065a429c1")] {
            #expect(PBKDF2<SHA1Algorithm>.key(password, salt: salt, rounds: rounds, length: 20).map(Hex.encode) == key)
        }
        let long = PBKDF2<SHA256Algorithm>.key(Array("passwd".utf8), salt: salt, rounds: 1, length: 64)
        #expect(
            long.map(Hex.encode)
                == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")
        for (rounds, length) in [(0, 20), (-1, 20), (1_500_001, 20), (1, 0), (1, 257)] {
            #expect(PBKDF2<SHA1Algorithm>.key(password, salt: salt, rounds: rounds, length: length) == nil)
        }
    }

    /// Test cases 1 and 2 of RFC 2202 (MD5, SHA-1) and RFC 4231 (SHA-512).
    @Test func `published codes of HMAC match`() {
        let (first, second) = (Array("Hi There".utf8), Array("what do ya want for nothing?".utf8))
        let (short, long, jefe) = ([UInt8](repeating: 0x0b, count: 16), [UInt8](repeating: 0x0b, count: 20), Array("Jefe".utf8))
        #expect(Hex.encode(HMACMD5.authenticate(first, key: short)) == "9294727a3638bb1c13f48ef8158bfc9d")
        #expect(Hex.encode(HMACMD5.authenticate(second, key: jefe)) == "750c783e6ab0b503eaa86e310a5db738")
        #expect(Hex.encode(HMACSHA1.authenticate(first, key: long)) == "b617318655057264e28bc0b6fb378c8ef146be00")
        #expect(Hex.encode(HMACSHA1.authenticate(second, key: jefe)) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(
            Hex.encode(HMACSHA512.authenticate(first, key: long))
                == "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854")
    }

    /// F.5.5 of NIST SP 800-38A.
    @Test func `published ciphertexts of counter mode match`() throws {
        let key = try #require(Hex.decode("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
        let message = try #require(Hex.decode("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"))
        let sealed = AESCTR.encrypt(message, key: key, counter: Array(0xf0...0xff))
        #expect(sealed.map(Hex.encode) == "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5")
        #expect(sealed.flatMap { AESCTR.encrypt($0, key: key, counter: Array(0xf0...0xff)) } == message)
        #expect(AESCTR.encrypt([], key: key, counter: Array(0xf0...0xff)) == [])
        #expect(AESCTR.encrypt(message, key: [], counter: Array(0xf0...0xff)) == nil)
        #expect(AESCTR.encrypt(message, key: key, counter: []) == nil)
    }

    @Test func `a wrapped secret opens with its key and context only`() {
        let (key, secret) = ([UInt8](repeating: 1, count: 32), Array("secret".utf8))
        let wrapped = WrappedSecret.wrap(secret, key: key, context: "key 7")
        #expect(wrapped.count == secret.count + 28)
        #expect(WrappedSecret.unwrap(wrapped, key: key, context: "key 7") == secret)
        #expect(WrappedSecret.wrap(secret, key: key, context: "key 7") != wrapped)
        #expect(WrappedSecret.unwrap(wrapped, key: key, context: "key 8") == nil)
        #expect(WrappedSecret.unwrap(wrapped, key: key, context: "") == nil)
        #expect(WrappedSecret.unwrap(wrapped, key: [UInt8](repeating: 2, count: 32), context: "key 7") == nil)
        for bit in 0..<wrapped.count * 8 {
            var changed = wrapped
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(WrappedSecret.unwrap(changed, key: key, context: "key 7") == nil)
        }
        for length in 0..<wrapped.count { #expect(WrappedSecret.unwrap(Array(wrapped[..<length]), key: key, context: "key 7") == nil) }
    }
}
