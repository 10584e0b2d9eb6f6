// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// How another product hashed the passwords of an import, in the words of Firebase's `batchCreate` and `auth:export`.
package struct HashImport: Sendable {
    package struct Parameters: Sendable {
        /// SCRYPT, STANDARD_SCRYPT, BCRYPT, PBKDF_SHA1, PBKDF2_SHA256, SHA1, SHA256, SHA512, MD5 or HMAC_ and a hash.
        package var algorithm: String
        package var signerKey: [UInt8] = []
        package var saltSeparator: [UInt8] = []
        package var rounds: Int?
        package var memoryCost: Int?
        package var cpuMemoryCost: Int?
        package var blockSize: Int?
        package var parallelization: Int?
        /// Whether the salt is hashed before the password.
        package var isSaltFirst = false

        package init(algorithm: String) {
            self.algorithm = algorithm
        }
    }

    package enum Problem: Error, Equatable, Sendable {
        case unknownAlgorithm
        /// A parameter is missing or beyond its bound.
        case parameter(String)
    }

    private enum Form: Sendable {
        case function(HashFunction)
        case firebase(Scrypt, signerKey: [UInt8], separator: [UInt8])
        case bcrypt
    }

    private let form: Form

    /// - Parameter key: Wraps a signer key of HMAC, so that a stolen database lacks it.
    package init(_ parameters: Parameters, _ key: AccountsKey) throws(Problem) {
        let digest = HashFunction.Digest(rawValue: parameters.algorithm.replacing("HMAC_", with: "").lowercased())
        switch parameters.algorithm {
        case "BCRYPT": form = .bcrypt
        case "SCRYPT":
            let cost = try HashImport.scrypt(log: parameters.memoryCost, "memoryCost", block: parameters.rounds, "rounds", parallel: 1)
            guard (1...128).contains(parameters.signerKey.count) else { throw .parameter("signerKey") }
            guard parameters.saltSeparator.count <= 64 else { throw .parameter("saltSeparator") }
            form = .firebase(cost, signerKey: parameters.signerKey, separator: parameters.saltSeparator)
        case "STANDARD_SCRYPT":
            let cost = parameters.cpuMemoryCost ?? 0
            guard cost > 1, cost & (cost - 1) == 0 else { throw .parameter("cpuMemCost") }
            form = .function(
                .scrypt(
                    try HashImport.scrypt(
                        log: cost.trailingZeroBitCount, "cpuMemCost", block: parameters.blockSize, "blockSize",
                        parallel: parameters.parallelization)))
        case "PBKDF_SHA1", "PBKDF2_SHA256":
            let rounds = try HashImport.number(parameters.rounds, 1...PBKDF2<SHA1Algorithm>.mostRounds, "rounds")
            form = .function(.pbkdf2(parameters.algorithm == "PBKDF_SHA1" ? .sha1 : .sha256, rounds: rounds))
        case "SHA1", "SHA256", "SHA512", "MD5":
            guard let digest else { throw .unknownAlgorithm }
            let rounds = try HashImport.number(parameters.rounds ?? 1, HashFunction.roundsOfPlain, "rounds")
            form = .function(.plain(digest, rounds: rounds, saltFirst: parameters.isSaltFirst))
        case "HMAC_SHA1", "HMAC_SHA256", "HMAC_SHA512", "HMAC_MD5":
            guard let digest else { throw .unknownAlgorithm }
            guard (1...512).contains(parameters.signerKey.count) else { throw .parameter("signerKey") }
            let wrapped = key.wrap(parameters.signerKey, as: HashSecrets.context)
            form = .function(.hmac(digest, wrappedKey: wrapped, saltFirst: parameters.isSaltFirst))
        default: throw .unknownAlgorithm
        }
    }

    /// Returns one user's hash; nil if it cannot be one. A fast one must be wrapped.
    package func hash(_ bytes: [UInt8], salt: [UInt8]) -> PasswordHash? {
        let made: PasswordHash?
        switch form {
        case .bcrypt: made = String(validating: bytes, as: UTF8.self).flatMap { BCrypt.isHash($0) ? PasswordHash(stored: $0) : nil }
        case .function(let function): made = PasswordHash(function, salt: salt, key: bytes)
        case .firebase(let cost, let signerKey, let separator):
            guard bytes.count == signerKey.count else { return nil }
            // The hash is the signer key encrypted in counter mode: a stream that depends on the password, added to it.
            made = PasswordHash(.firebaseScrypt(cost), salt: salt + separator, key: zip(bytes, signerKey).map { $0 ^ $1 })
        }
        // A hash whose stored text cannot be parsed is rejected now, not at the next sign-in.
        return made.flatMap { PasswordHash(stored: $0.stored) }
    }

    /// Returns the hash of a text that other products store with its parameters: bcrypt, or Argon2 without a pepper, as Supabase has them.
    package static func hash(text: String) -> PasswordHash? {
        if BCrypt.isHash(text) { return PasswordHash(stored: text) }
        return text.hasPrefix("$argon2") ? PasswordHash(stored: "$import-" + text.dropFirst()) : nil
    }

    private static func scrypt(
        log: Int?, _ logName: String, block: Int?, _ blockName: String, parallel: Int?
    ) throws(Problem) -> Scrypt {
        let log = UInt8(try number(log, 1...18, logName))
        let (block, parallel) = (UInt8(try number(block, 1...8, blockName)), UInt8(try number(parallel, 1...4, "parallelization")))
        return Scrypt(logCost: log, blockSize: block, parallelism: parallel)
    }

    private static func number(_ value: Int?, _ range: ClosedRange<Int>, _ name: String) throws(Problem) -> Int {
        guard let value, range.contains(value) else { throw .parameter(name) }
        return value
    }
}
