// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

extension PasswordHash {
    /// Parses a stored text. Parameters beyond their bounds are rejected, as they would occupy a hash thread.
    package init?(stored: String) {
        if let (setting, key) = BCrypt.parts(stored) {
            self.init(.bcrypt(setting: setting), salt: [], key: key)
            return
        }
        let parts = stored.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard stored.utf8.count <= 2_048, parts.count >= 5, parts[0].isEmpty, let hash = PasswordHash.read(Array(parts.dropFirst())),
            hash.stored.hasSameBytes(as: stored)
        else { return nil }
        self = hash
    }

    package var stored: String {
        switch function {
        case .bcrypt(let setting):
            return outer == nil ? setting + String(decoding: key, as: UTF8.self) : finished("$bcrypt" + setting)
        case .argon2(let cost): return PasswordHash.text("argon2id", "v=19$" + PasswordHash.text(cost), salt, key)
        case .importedArgon2(let cost):
            return PasswordHash.text("import-argon2\(cost.variant)", "v=19$" + PasswordHash.text(cost), salt, key)
        case .scrypt(let cost), .firebaseScrypt(let cost):
            let parameters = "ln=\(cost.logCost),r=\(cost.blockSize),p=\(cost.parallelism)"
            return finished("$\(function == .scrypt(cost) ? "scrypt" : "firebase-scrypt")$\(parameters)$\(PasswordHash.text(salt))")
        case .pbkdf2(let digest, let rounds): return finished("$pbkdf2-\(digest.rawValue)$i=\(rounds)$\(PasswordHash.text(salt))")
        case .plain(let digest, let rounds, let saltFirst):
            return finished("$\(digest.rawValue)$i=\(rounds),o=\(saltFirst ? "s" : "p")$\(PasswordHash.text(salt))")
        case .hmac(let digest, let wrapped, let saltFirst):
            return finished("$hmac-\(digest.rawValue)$k=\(PasswordHash.text(wrapped)),o=\(saltFirst ? "s" : "p")$\(PasswordHash.text(salt))")
        }
    }

    /// Appends the key, behind the Argon2id that may be around the hash.
    private func finished(_ inner: String) -> String {
        guard let outer else { return inner + "$" + PasswordHash.text(key) }
        return inner + PasswordHash.text("argon2id", "v=19$" + PasswordHash.text(outer.cost), outer.salt, key)
    }

    private static func text(_ name: String, _ parameters: String, _ salt: [UInt8], _ key: [UInt8]) -> String {
        "$\(name)$\(parameters)$\(text(salt))$\(text(key))"
    }

    private static func text(_ cost: Argon2) -> String { "m=\(cost.memoryKiB),t=\(cost.passes),p=\(cost.lanes)" }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
}

// MARK: - Reading

extension PasswordHash {
    private static func read(_ parts: [String]) -> PasswordHash? {
        if let argon = readArgon2(parts) { return argon }
        if parts[0] == "bcrypt" { return readBCrypt(parts) }
        guard let function = function(parts[0], parts[1]), let salt = Base64.decodeLeniently(parts[2]), salt.count <= 256 else { return nil }
        if parts.count == 4 {
            guard let key = Base64.decodeLeniently(parts[3]), keyLengths.contains(key.count), function.length ?? key.count == key.count else {
                return nil
            }
            return PasswordHash(function, salt: salt, key: key)
        }
        return readWrapped(function, salt: salt, Array(parts.dropFirst(3)))
    }

    /// Reads `bcrypt$2a$06$SALT$argon2id$…`, which bcrypt never stands in without Argon2id.
    private static func readBCrypt(_ parts: [String]) -> PasswordHash? {
        guard parts.count == 9 else { return nil }
        let setting = "$" + parts[1...3].joined(separator: "$")
        return BCrypt.isSetting(setting) ? readWrapped(.bcrypt(setting: setting), salt: [], Array(parts[4...])) : nil
    }

    /// Reads the Argon2id around a fast hash.
    private static func readWrapped(_ function: HashFunction, salt: [UInt8], _ parts: [String]) -> PasswordHash? {
        guard function.isFast, let outer = readArgon2(parts), case .argon2(let cost) = outer.function else { return nil }
        return PasswordHash(function, salt: salt, key: outer.key, outer: Outer(cost: cost, salt: outer.salt))
    }

    private static func readArgon2(_ parts: [String]) -> PasswordHash? {
        guard parts.count == 5, parts[1] == "v=19", let numbers = numbers(parts[2], ["m", "t", "p"]),
            let salt = Base64.decodeLeniently(parts[3]), (8...256).contains(salt.count), let key = Base64.decodeLeniently(parts[4]),
            keyLengths.contains(key.count)
        else { return nil }
        let variants: [String: Argon2.Variant] = ["argon2id": .id, "import-argon2id": .id, "import-argon2i": .i, "import-argon2d": .d]
        guard let variant = variants[parts[0]] else { return nil }
        let cost = Argon2(variant, memoryKiB: numbers[0], passes: numbers[1], lanes: numbers[2])
        guard cost.isBounded else { return nil }
        return PasswordHash(parts[0] == "argon2id" ? .argon2(cost) : .importedArgon2(cost), salt: salt, key: key)
    }

    private static func function(_ name: String, _ parameters: String) -> HashFunction? {
        if name == "scrypt" || name == "firebase-scrypt" {
            guard let values = numbers(parameters, ["ln", "r", "p"])?.map({ UInt8(exactly: $0) ?? 0 }) else { return nil }
            let cost = Scrypt(logCost: values[0], blockSize: values[1], parallelism: values[2])
            return !cost.isBounded ? nil : name == "scrypt" ? .scrypt(cost) : .firebaseScrypt(cost)
        }
        if let digest = digest(name, behind: "pbkdf2-") {
            guard digest == .sha1 || digest == .sha256, let rounds = numbers(parameters, ["i"])?[0] else { return nil }
            return (1...PBKDF2<SHA1Algorithm>.mostRounds).contains(rounds) ? .pbkdf2(digest, rounds: rounds) : nil
        }
        guard let (first, order) = pair(parameters) else { return nil }
        if let digest = digest(name, behind: "hmac-") {
            guard first.hasPrefix("k="), let key = Base64.decodeLeniently(first.dropFirst(2)), key.count <= 1_024 else { return nil }
            return .hmac(digest, wrappedKey: key, saltFirst: order)
        }
        guard let digest = HashFunction.Digest(rawValue: name), let rounds = numbers(first, ["i"])?[0], HashFunction.roundsOfPlain.contains(rounds)
        else { return nil }
        return .plain(digest, rounds: rounds, saltFirst: order)
    }

    private static func digest(_ name: String, behind prefix: String) -> HashFunction.Digest? {
        name.hasPrefix(prefix) ? HashFunction.Digest(rawValue: String(name.dropFirst(prefix.count))) : nil
    }

    /// Splits `i=1,o=s` into `i=1` and whether the salt comes first.
    private static func pair(_ text: String) -> (String, saltFirst: Bool)? {
        for (end, saltFirst) in [(",o=s", true), (",o=p", false)] where text.hasSuffix(end) { return (String(text.dropLast(end.count)), saltFirst) }
        return nil
    }

    /// Reads `m=19456,t=2,p=1` as the numbers of these names in this order.
    private static func numbers(_ text: String, _ names: [String]) -> [Int]? {
        let values = text.commaSeparated
        guard values.count == names.count else { return nil }
        var numbers: [Int] = []
        for (value, name) in zip(values, names) {
            guard value.hasPrefix(name + "="), let number = Int(value.dropFirst(name.count + 1)), number >= 0 else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
