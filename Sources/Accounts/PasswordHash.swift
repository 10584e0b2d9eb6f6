// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A stored password hash: Argon2id with its parameters, or one that was imported.
///
///     $argon2id$v=19$m=19456,t=2,p=1$SALT$KEY            ours, with a pepper that the database does not have
///     $2b$10$…                                           bcrypt
///     $import-argon2id$v=19$m=4096,t=3,p=1$SALT$KEY      without a pepper
///     $scrypt$ln=14,r=8,p=1$SALT$KEY                     also $firebase-scrypt$…
///     $pbkdf2-sha256$i=100000$SALT$KEY
///     $sha256$i=1,o=s$SALT$argon2id$v=19$m=19456,t=2,p=1$SALT$KEY      a fast hash inside Argon2id
///     $bcrypt$2a$06$SALT$argon2id$…                      bcrypt of a low cost inside Argon2id
///
/// Salts and keys are base64 without padding. A text has one spelling.
package struct PasswordHash: Sendable, Equatable {
    let function: HashFunction
    let salt: [UInt8]
    /// The result to compare with; of a wrapped hash the outer one.
    let key: [UInt8]
    /// The Argon2id around a fast hash, with its salt.
    let outer: Outer?

    struct Outer: Sendable, Equatable {
        var cost: Argon2
        var salt: [UInt8]
    }

    /// The number of bytes that a key of an import may have.
    static let keyLengths = 16...128
    /// The first bytes of a key of any length that are wrapped. Shorter keys of these functions are beginnings of longer ones.
    private static let wrappedLength = 16

    init(_ function: HashFunction, salt: [UInt8], key: [UInt8], outer: Outer? = nil) {
        (self.function, self.salt, self.key, self.outer) = (function, salt, key, outer)
    }

    /// Whether the hash must be wrapped by `PasswordHasher.wrap` before it is stored.
    package var isFast: Bool { function.isFast && outer == nil }

    /// Whether the hash is right only with the key outside the database.
    var needsKey: Bool {
        switch function {
        case .argon2, .hmac: true
        case .importedArgon2, .bcrypt, .scrypt, .firebaseScrypt, .pbkdf2, .plain: outer != nil
        }
    }

    /// Whether a right password should be hashed anew at this cost.
    func isOutdated(_ cost: Argon2) -> Bool { function != .argon2(cost) }

    /// Returns a fast hash inside Argon2id; nil if memory is exhausted.
    func wrapped(_ cost: Argon2, _ secrets: HashSecrets, _ arena: borrowing Argon2Arena) -> PasswordHash? {
        let (inner, around) = (function.length == nil ? Array(key.prefix(PasswordHash.wrappedLength)) : key, Outer(cost: cost, salt: randomBytes(16)))
        let wrapped = cost.key(inner, salt: around.salt, secret: secrets.pepper, arena: arena)
        return wrapped.map { PasswordHash(function, salt: salt, key: $0, outer: around) }
    }

    func matches(_ password: [UInt8], _ secrets: HashSecrets, _ arena: borrowing Argon2Arena) -> Bool {
        let length = outer == nil ? key.count : PasswordHash.wrappedLength
        guard var found = function.key(password, salt: salt, length: length, secrets, arena) else { return false }
        if let outer {
            guard let wrapped = outer.cost.key(found, salt: outer.salt, secret: secrets.pepper, length: key.count, arena: arena) else { return false }
            found = wrapped
        }
        return constantTimeEqual(found, key)
    }
}
