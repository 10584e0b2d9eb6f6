// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Crypto
import Database
import JOSE
import Platform
import SQLite

/// Signing keys: made with the first account, replaced every 90 days.
///
///     day 0     key A is made and signs
///     day 89    key B is made and published, so that verifiers that keep keys for a day know it in time
///     day 90    key B signs; A is known until the last session cookie it signed has expired, and a day longer
extension AccountStore {
    /// Makes the key outside the database and the first signing key, if they are missing. Called before anything is signed or hashed.
    package func prepareSecrets() async throws -> AccountsKey {
        if let key = preparedKey { return key }
        // One after another, so that many first sign-ins at once make one signing key.
        return try await preparation.run { [self] in
            if let key = preparedKey { return key }
            return try await makeSecrets()
        }
    }

    private var preparedKey: AccountsKey? { secrets.signing(at: clock.now()) == nil ? nil : secrets.key }

    private func makeSecrets() async throws -> AccountsKey {
        let (path, now) = (secrets.path, clock.now())
        let first = await makeKey(from: now)
        let key = try await change { file in
            let key: AccountsKey
            do {
                key = try file.key(at: path) ?? AccountKeyFile.create(path)
            } catch let error as FileError {
                throw Refusal.storage(error)
            }
            try file.keepFingerprint(of: key)
            if try file.signingKeys(key).allSatisfy({ $0.signsFrom > now }) { try file.insert(first, key, at: now) }
            return key
        }
        try await reloadKeys(key)
        return key
    }

    /// Makes the next signing key if it is due, and forgets keys whose tokens have expired. Does nothing before the first account.
    package func rotateKeysIfDue(mayForget: Bool) async throws {
        guard let key = secrets.key else { return }
        let now = clock.now()
        if mayForget, secrets.keys.contains(where: { $0.knownUntil <= now }) {
            try await change { try $0.removeKeys(knownUntil: now) }
            try await reloadKeys(key)
        }
        guard let newest = secrets.keys.max(by: { $0.signsFrom < $1.signsFrom }), newest.signsFrom <= now, newest.signsUntil - bounds.keyAhead <= now
        else { return }
        // A daemon that was off for long publishes the key for a day all the same.
        try await addKey(key, from: max(newest.signsUntil, now + bounds.keyAhead))
    }

    /// Begins a rotation: the next key signs in a day. With `now` it signs at once, and tokens of all other keys are void.
    package func rotateKeys(now isUrgent: Bool) async throws {
        let key = try await prepareSecrets()
        let now = clock.now()
        guard isUrgent else {
            guard !secrets.keys.contains(where: { $0.signsFrom > now }) else {
                throw Refusal(.conflict, "The next key is published already.", hint: "It signs a day after its publication.")
            }
            return try await addKey(key, from: now + bounds.keyAhead)
        }
        let made = await makeKey(from: now)
        try await change { file in
            try file.execute("DELETE FROM keys")
            try file.insert(made, key, at: now)
        }
        try await reloadKeys(key)
    }

    private func addKey(_ key: AccountsKey, from start: Timestamp) async throws {
        let (made, now) = (await makeKey(from: start), clock.now())
        try await change { file in
            // A concurrent rotation may have been first.
            guard try file.signingKeys(key).allSatisfy({ $0.signsFrom <= now }) else { return }
            try file.endNewestKey(at: start, knownUntil: start + AccountBounds.keyReserve)
            try file.insert(made, key, at: now)
        }
        try await reloadKeys(key)
    }

    /// Generating a key takes some hundred milliseconds.
    private func makeKey(from start: Timestamp) async -> AccountSecrets.TimedKey {
        let end = start + bounds.keyLife
        let known = end + AccountBounds.keyReserve
        let key = await onOwnThread("signalbox.keys") { [make = bounds.makePrivateKey] in
            SigningKey.make(make(), from: start, until: known)
        }
        return AccountSecrets.TimedKey(key: key, signsFrom: start, signsUntil: end, knownUntil: known)
    }

    private func reloadKeys(_ key: AccountsKey) async throws {
        let secrets = secrets
        // On the writer's thread, so that lists replace each other in the order of the commits.
        try await change { file in secrets.replace(key, try file.signingKeys(key)) }
    }
}

extension AccountDB {
    func signingKeys(_ key: AccountsKey) throws -> [AccountSecrets.TimedKey] {
        let rows = try statement("SELECT kid, private, certificate, signs_from, signs_until, known_until FROM keys ORDER BY signs_from").all { row in
            (kid: row.text(0), secret: row.bytes(1), certificate: row.bytes(2), times: (3..<6).map { Timestamp(milliseconds: row.integer($0)) })
        }
        return try rows.map { row in
            guard let der = key.unwrap(row.secret, as: "signing key \(row.kid)"), let signing = SigningKey(der: der, certificate: row.certificate)
            else {
                throw StoreError.damaged(path: connection.path, reason: "the signing key \(row.kid) cannot be decrypted")
            }
            return AccountSecrets.TimedKey(key: signing, signsFrom: row.times[0], signsUntil: row.times[1], knownUntil: row.times[2])
        }
    }

    func insert(_ made: AccountSecrets.TimedKey, _ key: AccountsKey, at now: Timestamp) throws {
        let signing = made.key
        try statement(
            """
            INSERT INTO keys (kid, private, public, certificate, created, signs_from, signs_until, known_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .text(signing.id), .blob(key.wrap(signing.der, as: "signing key \(signing.id)")), .blob(signing.published.publicKey.der),
            .blob(signing.published.certificate), .integer(now.milliseconds), .integer(made.signsFrom.milliseconds),
            .integer(made.signsUntil.milliseconds),
            .integer(made.knownUntil.milliseconds))
    }

    /// Sets when the newest key stops signing, and how long its tokens are accepted.
    func endNewestKey(at time: Timestamp, knownUntil: Timestamp) throws {
        try statement("UPDATE keys SET signs_until = ?, known_until = ? WHERE id = (SELECT max(id) FROM keys)").run(
            .integer(time.milliseconds), .integer(knownUntil.milliseconds))
    }

    func removeKeys(knownUntil time: Timestamp) throws {
        try statement("DELETE FROM keys WHERE known_until <= ? AND id < (SELECT max(id) FROM keys)").run(.integer(time.milliseconds))
    }
}
