// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct EncryptionTests {
    /// Test cases 13, 14 and 15 of the specification of GCM.
    @Test(arguments: [
        ("0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "", "530f8afbc74536b9a963b4f1c4cb738b"),
        (
            "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "00000000000000000000000000000000",
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
                + "b094dac5d93471bdec1a502270e3cc6c"
        ),
    ])
    func `published ciphertexts match`(key: String, nonce: String, message: String, sealed: String) throws {
        let (key, nonce) = (try #require(Hex.decode(key)), try #require(Hex.decode(nonce)))
        let (message, sealed) = (try #require(Hex.decode(message)), try #require(Hex.decode(sealed)))
        #expect(AESGCM.seal(message, key: key, nonce: nonce) == sealed)
        #expect(AESGCM.open(sealed, key: key, nonce: nonce) == message)
    }

    @Test func `every changed bit, another key or nonce and a missing byte are found`() throws {
        let (key, nonce) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: 12))
        let sealed = AESGCM.seal(Array("hello".utf8), key: key, nonce: nonce)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(AESGCM.open(changed, key: key, nonce: nonce) == nil)
        }
        #expect(AESGCM.open(Array(sealed.dropLast()), key: key, nonce: nonce) == nil)
        #expect(AESGCM.open(sealed + [0], key: key, nonce: nonce) == nil)
        #expect(AESGCM.open(sealed, key: [UInt8](repeating: 8, count: 32), nonce: nonce) == nil)
        #expect(AESGCM.open(sealed, key: key, nonce: [UInt8](repeating: 8, count: 12)) == nil)
        for short in 0..<16 { #expect(AESGCM.open([UInt8](repeating: 0, count: short), key: key, nonce: nonce) == nil) }
        #expect(AESGCM.open(sealed, key: [], nonce: nonce) == nil && AESGCM.open(sealed, key: key, nonce: []) == nil)
    }

    /// The vectors of RFC 7914, section 12, as far as 32 bytes go.
    @Test func `published keys of passphrases match`() throws {
        let small = try #require(Scrypt(logCost: 4, blockSize: 1, parallelism: 1).key([], salt: []))
        #expect(Hex.encode(small) == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442")
        let large = try #require(
            Scrypt(logCost: 14, blockSize: 8, parallelism: 1).key(Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8)))
        #expect(Hex.encode(large) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
        #expect(Scrypt.standard.isBounded)
        for (log, block, parallel) in [(0, 8, 1), (19, 8, 1), (17, 9, 1), (17, 0, 1), (17, 8, 5), (17, 8, 0), (255, 255, 255)]
            as [(UInt8, UInt8, UInt8)]
        {
            #expect(Scrypt(logCost: log, blockSize: block, parallelism: parallel).key([1], salt: [1]) == nil)
        }
    }
}
