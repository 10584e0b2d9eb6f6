// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct Ed25519Tests {
    /// RFC 8032, 7.1: seed, public key, message and signature.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ])
    func `published signatures match`(seed: String, publicKey: String, message: String, signature: String) throws {
        let (seed, message) = (try #require(Hex.decode(seed)), try #require(Hex.decode(message)))
        let made = try #require(Ed25519.sign(message, seed: seed))
        let key = try #require(Ed25519.publicKey(seed: seed))
        #expect(Hex.encode(key) == publicKey && Hex.encode(made) == signature)
        #expect(Ed25519.isValid(made, of: message, publicKey: key))
    }

    @Test func `any changed bit invalidates a signature`() throws {
        let seed = randomBytes(Ed25519.seedLength)
        let message = Array("a message".utf8)
        let signature = try #require(Ed25519.sign(message, seed: seed))
        let key = try #require(Ed25519.publicKey(seed: seed))
        func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
            var bytes = bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return bytes
        }
        for bit in 0..<message.count * 8 { #expect(!Ed25519.isValid(signature, of: flipped(message, bit), publicKey: key)) }
        for bit in 0..<signature.count * 8 { #expect(!Ed25519.isValid(flipped(signature, bit), of: message, publicKey: key)) }
        for bit in 0..<key.count * 8 { #expect(!Ed25519.isValid(signature, of: message, publicKey: flipped(key, bit))) }
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func `keys of another length are rejected`(length: Int) {
        let bytes = [UInt8](repeating: 1, count: length)
        #expect(Ed25519.publicKey(seed: bytes) == nil && Ed25519.sign([1], seed: bytes) == nil)
        #expect(!Ed25519.isValid([UInt8](repeating: 1, count: 64), of: [1], publicKey: bytes))
        #expect(!Ed25519.isValid(bytes, of: [1], publicKey: [UInt8](repeating: 1, count: 32)))
    }
}
