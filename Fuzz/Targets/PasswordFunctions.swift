// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Functions over C libraries: hashes of passwords at small costs, wrapped secrets, and signatures under keys that others chose.
///
///     bytes 1 to 4: the function, its cost, the length of the salt, the length of the key; then the salt and the password
enum PasswordFunctions {
    private struct Input {
        var cost: Int
        var length: Int
        var salt: [UInt8]
        var password: [UInt8]
    }

    private static let functions: [@Sendable (Input) -> Void] = [argon2, bcrypt, scrypt, pbkdf2, wrapping, encryption, keys, signatures]

    static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return }
        let rest = bytes[4...]
        let salt = Array(rest.prefix(Int(bytes[2])))
        let password = Array(rest.dropFirst(salt.count).prefix(2_048))
        functions[Int(bytes[0]) % functions.count](Input(cost: Int(bytes[1]), length: Int(bytes[3]), salt: salt, password: password))
    }

    /// A hash does not depend on what its memory was used for before.
    private static func argon2(_ input: Input) {
        let variants: [Argon2.Variant] = [.d, .i, .id]
        let lanes = 1 + input.cost / 3 % 4
        let function = Argon2(variants[input.cost % 3], memoryKiB: 8 * lanes + input.cost, passes: 1 + input.cost % 2, lanes: lanes)
        let arena = Argon2Arena()
        let key = function.key(input.password, salt: input.salt, secret: input.salt, length: input.length, arena: arena)
        require((key != nil) == ((8...256).contains(input.salt.count) && input.length >= 4), "Argon2 accepts other lengths")
        guard let key else { return }
        accepted()
        _ = Argon2(memoryKiB: 1_024, passes: 1, lanes: 1).key(input.password, salt: input.salt, length: 64, arena: arena)
        let again = function.key(input.password, salt: input.salt, secret: input.salt, length: input.length, arena: arena)
        require(key.count == input.length && key == again, "Argon2 is not the same again")
    }

    private static func bcrypt(_ input: Input) {
        let alphabet = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let salt = (0..<22).map { alphabet[Int(input.salt.isEmpty ? 0 : input.salt[$0 % input.salt.count]) % 64] }
        let setting = ["$2a$04$", "$2b$04$", "$2y$04$"][input.cost % 3] + String(decoding: salt, as: UTF8.self)
        let key = BCrypt.key(input.password, setting: setting)
        require((key == nil) == input.password.contains(0), "bcrypt rejects a password")
        guard let key else { return }
        accepted()
        require(key.count == BCrypt.keyLength && key == BCrypt.key(input.password, setting: setting), "bcrypt is not the same again")
        require(BCrypt.parts(setting + String(decoding: key, as: UTF8.self))?.key == key, "a hash of bcrypt is none")
        // A setting that others chose.
        _ = BCrypt.key(input.password, setting: String(decoding: input.salt, as: UTF8.self))
    }

    private static func scrypt(_ input: Input) {
        let function = Scrypt(logCost: UInt8(input.cost % 5), blockSize: UInt8(input.cost / 5 % 9), parallelism: UInt8(input.cost / 45))
        let key = function.key(input.password, salt: input.salt, length: input.length)
        require(key == nil || key?.count == input.length && function.isBounded, "scrypt beyond its bounds")
        require(key == function.key(input.password, salt: input.salt, length: input.length), "scrypt is not the same again")
        if key != nil { accepted() }
    }

    private static func pbkdf2(_ input: Input) {
        for key in [
            PBKDF2<SHA1Algorithm>.key(input.password, salt: input.salt, rounds: input.cost % 9, length: input.length),
            PBKDF2<SHA256Algorithm>.key(input.password, salt: input.salt, rounds: input.cost % 9, length: input.length),
        ] {
            require(key == nil || key?.count == input.length, "a key of another length")
            if key != nil { accepted() }
        }
    }

    private static func wrapping(_ input: Input) {
        let key = SHA256.hash(input.salt)
        let wrapped = WrappedSecret.wrap(input.password, key: key, context: "fuzz")
        require(WrappedSecret.unwrap(wrapped, key: key, context: "fuzz") == input.password, "a wrapped secret changed")
        require(WrappedSecret.unwrap(wrapped, key: key, context: "fuzz ") == nil, "a secret of another context")
        require(WrappedSecret.unwrap(input.password, key: key, context: "fuzz") == nil, "a secret that nobody wrapped")
        var changed = wrapped
        changed[input.cost % changed.count] ^= 1
        require(WrappedSecret.unwrap(changed, key: key, context: "fuzz") == nil, "a changed secret is accepted")
        accepted()
    }

    private static func encryption(_ input: Input) {
        let (key, counter) = (SHA256.hash(input.salt), Array(SHA256.hash(input.password).prefix(16)))
        guard let encrypted = AESCTR.encrypt(input.password, key: key, counter: counter) else { return }
        accepted()
        require(AESCTR.encrypt(encrypted, key: key, counter: counter) == input.password, "what was encrypted twice changed")
        _ = AESCTR.encrypt(input.password, key: input.salt, counter: counter)
    }

    /// Keys in every form in which others send them.
    private static func keys(_ input: Input) {
        let made = [
            SignatureKey(der: input.password), SignatureKey.rsa(modulus: input.password, exponent: input.salt),
            SignatureKey.p256(x: input.salt, y: input.password), SignatureKey.ed25519(input.password),
        ]
        for key in made.compactMap(\.self) {
            accepted()
            require(SignatureKey(der: key.der)?.kind == key.kind, "a key that cannot be read again")
            _ = key.isValid(input.salt, of: input.password)
        }
    }

    private static let ownKeys: [SignatureKey] = [
        RSAPrivateKey.make().publicKey,
        // The base point of P-256, and the first key of RFC 8032.
        SignatureKey.p256(
            x: bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
            y: bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")),
        SignatureKey.ed25519(bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")),
    ].compactMap(\.self)

    private static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    private static func signatures(_ input: Input) {
        require(ownKeys.count == 3, "a published key is rejected")
        for key in ownKeys { require(!key.isValid(input.salt, of: input.password), "a forged signature is accepted") }
    }
}
