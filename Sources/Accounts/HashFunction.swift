// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A function from password and salt to a key. All but the first come from other products.
enum HashFunction: Sendable, Equatable {
    /// Ours: with the pepper, which the database does not have.
    case argon2(Argon2)
    case importedArgon2(Argon2)
    /// Version, cost and salt as bcrypt writes them. The key is the rest of the hash's text.
    case bcrypt(setting: String)
    case scrypt(Scrypt)
    /// Firebase's scrypt. The key is what AES-256-CTR with the scrypt key makes of zeros, so the project's signer key is not needed.
    case firebaseScrypt(Scrypt)
    case pbkdf2(Digest, rounds: Int)
    /// The hash of password and salt, hashed again `rounds` − 1 times.
    case plain(Digest, rounds: Int, saltFirst: Bool)
    /// HMAC with a key of the other product, which is stored wrapped.
    case hmac(Digest, wrappedKey: [UInt8], saltFirst: Bool)

    enum Digest: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha512

        var length: Int {
            switch self {
            case .md5: MD5.length
            case .sha1: SHA1.length
            case .sha256: SHA256.length
            case .sha512: SHA512.length
            }
        }

        func hash(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .md5: MD5.hash(bytes)
            case .sha1: SHA1.hash(bytes)
            case .sha256: SHA256.hash(bytes)
            case .sha512: SHA512.hash(bytes)
            }
        }

        func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
            switch self {
            case .md5: HMACMD5.authenticate(bytes, key: key)
            case .sha1: HMACSHA1.authenticate(bytes, key: key)
            case .sha256: HMACSHA256.authenticate(bytes, key: key)
            case .sha512: HMACSHA512.authenticate(bytes, key: key)
            }
        }
    }

    static let roundsOfPlain = 0...8_192
    private static let slowRounds = 10_000
    /// bcrypt of this cost takes about twelve milliseconds.
    private static let slowBCrypt = 8
    /// The product of cost and block size from which scrypt needs 4 MiB.
    private static let slowScrypt = 32_768

    /// Whether guesses cost less than some milliseconds each. Such a hash is never stored as it is.
    var isFast: Bool {
        switch self {
        case .plain, .hmac: true
        case .pbkdf2(_, let rounds): rounds < HashFunction.slowRounds
        case .scrypt(let cost), .firebaseScrypt(let cost): Int(cost.blockSize) << Int(cost.logCost) < HashFunction.slowScrypt
        case .bcrypt(let setting): BCrypt.cost(setting) < HashFunction.slowBCrypt
        case .argon2, .importedArgon2: false
        }
    }

    /// The only length of a key; nil if it may have any.
    var length: Int? {
        switch self {
        case .plain(let digest, _, _), .hmac(let digest, _, _): digest.length
        case .bcrypt: BCrypt.keyLength
        case .argon2, .importedArgon2, .scrypt, .firebaseScrypt, .pbkdf2: nil
        }
    }

    /// Returns the key; nil if it cannot be computed. Functions with one length ignore `length`.
    func key(_ password: [UInt8], salt: [UInt8], length: Int, _ secrets: HashSecrets, _ arena: borrowing Argon2Arena) -> [UInt8]? {
        switch self {
        case .argon2(let cost): return cost.key(password, salt: salt, secret: secrets.pepper, length: length, arena: arena)
        case .importedArgon2(let cost): return cost.key(password, salt: salt, length: length, arena: arena)
        case .bcrypt(let setting): return BCrypt.key(password, setting: setting)
        case .scrypt(let cost): return cost.key(password, salt: salt, length: length)
        case .firebaseScrypt(let cost):
            let zeros = [UInt8](repeating: 0, count: length)
            return cost.key(password, salt: salt).flatMap { AESCTR.encrypt(zeros, key: $0, counter: [UInt8](repeating: 0, count: 16)) }
        case .pbkdf2(.sha1, let rounds): return PBKDF2<SHA1Algorithm>.key(password, salt: salt, rounds: rounds, length: length)
        case .pbkdf2(.sha256, let rounds): return PBKDF2<SHA256Algorithm>.key(password, salt: salt, rounds: rounds, length: length)
        case .pbkdf2: return nil
        case .plain(let digest, let rounds, let saltFirst):
            var sum = digest.hash(saltFirst ? salt + password : password + salt)
            for _ in 1..<max(rounds, 1) { sum = digest.hash(sum) }
            return sum
        case .hmac(let digest, let wrapped, let saltFirst):
            return secrets.unwrap(wrapped).map { digest.authenticate(saltFirst ? salt + password : password + salt, key: $0) }
        }
    }
}

/// Secrets that hashes need and the database does not have.
struct HashSecrets: Sendable {
    static let context = "key of imported hashes"

    let pepper: [UInt8]
    private let key: AccountsKey

    init(_ key: AccountsKey) {
        (self.key, pepper) = (key, key.derived("pepper"))
    }

    func unwrap(_ bytes: [UInt8]) -> [UInt8]? { key.unwrap(bytes, as: HashSecrets.context) }
}
