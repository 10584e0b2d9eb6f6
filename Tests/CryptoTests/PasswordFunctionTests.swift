// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct PasswordFunctionTests {
    /// Vectors of the reference implementation's tests.
    @Test func `published keys of Argon2 match`() {
        let (password, salt) = (Array("password".utf8), Array("somesalt".utf8))
        let arena = Argon2Arena()
        let vectors: [(Argon2, String)] = [
            (Argon2(.id, memoryKiB: 65_536, passes: 2, lanes: 1), "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"),
            (Argon2(.id, memoryKiB: 256, passes: 2, lanes: 1), "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"),
            (Argon2(.id, memoryKiB: 256, passes: 2, lanes: 2), "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"),
            (Argon2(.i, memoryKiB: 65_536, passes: 2, lanes: 1), "c1628832147d9720c5bd1cfd61367078729f6dfb6f8fea9ff98158e0d7816ed0"),
        ]
        for (argon, key) in vectors { #expect(argon.key(password, salt: salt, arena: arena).map(Hex.encode) == key) }
        // From argon2-cffi, which calls the same function as the reference implementation.
        let peppered = Argon2(memoryKiB: 256, passes: 2, lanes: 1).key(password, salt: salt, secret: Array("pepper".utf8), arena: arena)
        #expect(peppered.map(Hex.encode) == "8e14938c6435b1ff758c0c683e547cb1465cceca6bccdd1ac0c4c232f659370e")
    }

    @Test func `an arena keeps the memory of its largest hash until it is released`() {
        var arena = Argon2Arena()
        #expect(arena.bytes == 0)
        let small = Argon2(memoryKiB: 64, passes: 1, lanes: 1)
        let key = small.key([1], salt: [UInt8](repeating: 1, count: 16), arena: arena)
        #expect(arena.bytes == 2 << 20)
        _ = Argon2(memoryKiB: 4_096, passes: 1, lanes: 1).key([1], salt: [UInt8](repeating: 1, count: 16), arena: arena)
        #expect(arena.bytes == 4 << 20)
        arena.release()
        #expect(arena.bytes == 0)
        #expect(small.key([1], salt: [UInt8](repeating: 1, count: 16), arena: arena) == key)
    }

    @Test func `parameters beyond the bounds are not computed`() {
        let arena = Argon2Arena()
        let salt = [UInt8](repeating: 1, count: 16)
        for (memory, passes, lanes) in [(7, 1, 1), (16, 1, 4), (262_145, 1, 1), (64, 0, 1), (64, 65, 1), (65_536, 64, 1), (1_024, 1, 17), (64, 1, 0)]
        {
            #expect(Argon2(memoryKiB: memory, passes: passes, lanes: lanes).key([1], salt: salt, arena: arena) == nil)
        }
        let small = Argon2(memoryKiB: 64, passes: 1, lanes: 1)
        #expect(small.key([1], salt: Array(salt[..<7]), arena: arena) == nil)
        for length in [3, 257] { #expect(small.key([1], salt: salt, length: length, arena: arena) == nil) }
        #expect(small.key([], salt: salt, arena: arena) != nil)
        #expect(Argon2.standard.isBounded)
    }

    /// Vectors of OpenBSD's and Openwall's tests.
    @Test(arguments: [
        ("", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."),
        ("abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"),
        ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
        ("U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
    ])
    func `published hashes of bcrypt match`(password: String, hash: String) {
        #expect(isValid(Array(password.utf8), hash: hash))
        #expect(!isValid(Array((password + "x").utf8), hash: hash))
        #expect(!isValid(Array(password.utf8), hash: hash.replacing("$06", with: "$05").replacing("E5Y", with: "E5Z")))
        // A zero byte would end the text for libcrypt.
        #expect(!isValid(Array((password + "\0x").utf8), hash: hash))
    }

    private func isValid(_ password: [UInt8], hash: String) -> Bool {
        BCrypt.parts(hash).map { BCrypt.key(password, setting: $0.setting) == $0.key } ?? false
    }

    @Test(arguments: [73, 511, 512, 1_024]) func `bcrypt reads the first 72 bytes of a password`(count: Int) throws {
        let setting = "$2b$04$N9qo8uLOickgx2ZMRZoMye"
        let key = BCrypt.key([UInt8](repeating: 0x61, count: count), setting: setting)
        #expect(key != nil && key == BCrypt.key([UInt8](repeating: 0x61, count: 72), setting: setting))
        #expect(key != BCrypt.key([UInt8](repeating: 0x61, count: 71), setting: setting))
    }

    @Test func `only hashes of bcrypt with a bounded cost are computed`() {
        let tail = "DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."
        #expect(BCrypt.isHash("$2b$14$" + tail))
        for wrong in [
            "$2b$15$" + tail, "$2b$03$" + tail, "$2x$06$" + tail, "$6$rounds=1$" + tail, "$2b$06$" + tail + ".", "$2b$6$." + tail, "", "*0",
        ] {
            #expect(!BCrypt.isHash(wrong))
            #expect(!isValid([], hash: wrong))
        }
        #expect(!BCrypt.isHash("$2b$06$" + tail.replacing(".T", with: ":T")))
        #expect(!BCrypt.isHash("$2b$+6$" + tail))
    }
}
