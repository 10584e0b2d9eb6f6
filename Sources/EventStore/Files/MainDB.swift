// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Platform
import SQLite

/// The main file (`main.db`): apps, keys, settings, persons, and figures that outlive the days they were counted from.
package struct MainDB: TypedDatabase {
    let connection: Connection

    /// Opens the main file for the writer's thread.
    ///
    /// Throws if the folder lacks a file that it had.
    static func open(in paths: StorePaths) throws -> MainDB {
        let main = try MainDB.open(writing: paths.main)
        try Folder.sync(paths.root)
        for name in try main.knownFiles() where !Folder.exists("\(paths.root)/\(name)") {
            throw StoreError.fileMissing(path: "\(paths.root)/\(name)")
        }
        return main
    }

    private func knownFiles() throws -> [String] {
        let known = try statement("SELECT value FROM meta WHERE key = 'files'").first { $0.text(0) } ?? ""
        return known.split(separator: " ").map(String.init)
    }

    /// Records the files that must be beside this one, once they exist.
    func rememberFiles(_ files: [String]) throws {
        guard try knownFiles() != files else { return }
        let names = files.joined(separator: " ")
        try statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('files', ?)").run(.text(names))
    }

    /// Writes a small row, to detect that writing works.
    package func probe(at now: Timestamp) throws {
        try statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', ?)").run(.integer(now.milliseconds))
    }

    /// The seed of this folder's keyed hash, generated on first use.
    func hashSeed() throws -> UInt64 {
        let read = "SELECT value FROM meta WHERE key = 'hash_seed'"
        if let seed = try statement(read).first(row: { $0.key(0) }) { return seed }
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        try statement("INSERT INTO meta (key, value) VALUES ('hash_seed', ?)").run(.key(seed))
        return seed
    }

    /// Whether the file is a version of that of the folder with this hash.
    package func isOfFolder(_ hash: KeyedHash) throws -> Bool {
        try statement("SELECT value FROM meta WHERE key = 'hash_seed'").first { KeyedHash(seed: $0.key(0)) == hash } ?? false
    }

    /// The secret that signs access tokens, generated on first use.
    func tokenSecret() throws -> [UInt8] {
        let read = "SELECT value FROM meta WHERE key = 'token_secret'"
        if let secret = try statement(read).first(row: { $0.bytes(0) }) { return secret }
        let secret = randomBytes(32)
        try statement("INSERT INTO meta (key, value) VALUES ('token_secret', ?)").run(.blob(secret))
        return secret
    }

    /// The highest number that is recorded here.
    ///
    /// The open day's file may have higher ones.
    func lastSeq() throws -> Int64 {
        try statement("SELECT value FROM meta WHERE key = 'last_seq'").first { $0.integer(0) } ?? 0
    }

    /// Stores the last number given.
    ///
    /// Data retention removes the rows that show it, and no number may be given twice.
    func keep(lastSeq: Int64) throws {
        try statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('last_seq', ?)").run(.integer(lastSeq))
    }
}

extension MainDB {
    /// The IDs of the apps that exist.
    func existingApps() throws -> Set<Int64> {
        try Set(statement("SELECT id FROM apps").all { $0.integer(0) })
    }

    /// Stores the earliest sighting of each person.
    ///
    /// Persons of deleted apps are skipped.
    func keepEarliest(_ people: [PersonFact]) throws {
        let apps = try existingApps()
        let upsert = try statement(
            """
            INSERT INTO people (app, key, kind, id, first_seen) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen)
            """)
        for person in people.filter({ apps.contains($0.app) }).sorted(by: { $0.key < $1.key }) {
            try upsert.run(
                .integer(person.app), .key(person.key), .integer(person.kind.rawValue), .utf8(person.text), .integer(person.firstSeen))
        }
    }
}
