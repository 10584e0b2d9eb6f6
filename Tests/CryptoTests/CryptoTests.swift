// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ])
    func `published hashes match`(text: String, sum: String) {
        #expect(Hex.encode(SHA256.hash(Array(text.utf8))) == sum)
    }

    @Test func `a hash does not depend on chunking`() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        var sum = SHA256()
        for start in stride(from: 0, to: 1_000, by: 37) { sum.update(Array(bytes[start..<min(start + 37, 1_000)]).span) }
        let streamed = sum.finish()
        #expect(streamed == SHA256.hash(bytes))
    }
}

struct HMACTests {
    @Test(arguments: [
        ([UInt8](repeating: 0x0b, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `published HMACs match`(key: [UInt8], message: String, code: String) {
        #expect(Hex.encode(HMACSHA256.authenticate(Array(message.utf8), key: key)) == code)
    }

    @Test func `constant-time comparison finds every difference`() {
        #expect(constantTimeEqual([], []) && constantTimeEqual([1, 2, 3], [1, 2, 3]))
        for other: [UInt8] in [[], [1, 2], [1, 2, 3, 4], [0, 2, 3], [1, 2, 2]] { #expect(!constantTimeEqual([1, 2, 3], other)) }
    }
}

struct RandomTests {
    @Test func `tokens carry their prefix, enough characters, and never repeat`() {
        let tokens = (0..<1_000).map { _ in randomToken(prefix: "ing_", bits: 160) }
        #expect(Set(tokens).count == tokens.count)
        for token in tokens {
            #expect(token.hasPrefix("ing_") && token.utf8.count == 4 + 27)
            #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        }
    }

    @Test func `every character of the alphabet is about as likely`() {
        var counts: [Character: Int] = [:]
        for character in randomToken(prefix: "", bits: 62_000 * 6) { counts[character, default: 0] += 1 }
        // Expected 1,007 each; a bias of the usual modulo kind would give some 1.25 times the others.
        #expect(counts.count == 62)
        #expect(counts.values.allSatisfy { (800...1_200).contains($0) })
    }

    @Test func `the requested number of bytes is returned`() {
        #expect([0, 1, 32, 1_000].allSatisfy { randomBytes($0).count == $0 })
        #expect(randomBytes(16) != randomBytes(16))
    }
}

struct EncodingTests {
    @Test func `encodings survive a round trip`() {
        for length in 0...65 {
            let bytes = randomBytes(length)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.decodeLeniently(Base64.encode(bytes).filter { $0 != "=" }) == bytes)
        }
    }

    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{3ff}\u{3ff}", "z7_Pvw")])
    func `Base64URL has no padding and a safe alphabet`(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{3ff}\u{3ff}", "z7/Pvw==")])
    func `Base64 is padded`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zh==", "Zm9=", "Zm=v", "-_-_", "Zm9v\n", "Zg==Zg==", "Zm9vé"])
    func `badly padded Base64 is rejected`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: [("Zg", "f"), ("Zg=", "f"), ("Zg==", "f"), ("Zh", "f"), ("Zm9v", "foo"), ("", "")])
    func `lenient Base64 accepts missing padding`(text: String, decoded: String) {
        #expect(Base64.decodeLeniently(text) == Array(decoded.utf8))
    }

    @Test(arguments: ["Zm9\u{e9}", "-_-_", "Zg Zg"])
    func `lenient Base64 rejects other characters`(text: String) {
        #expect(Base64.decodeLeniently(text) == nil)
    }

    @Test(arguments: ["A", "Zg==", "Zh", "Zm9", "+/+/", "Zm 9", "Zm9vé"])
    func `other Base64URL is rejected`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: ["0", "0g", "0x10", " 00", "é0"])
    func `other hexadecimal is rejected`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
