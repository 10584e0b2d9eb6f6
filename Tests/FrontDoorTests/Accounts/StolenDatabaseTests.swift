// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import Crypto
import JOSE
import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

/// A thief with `accounts.db` and its write-ahead log, but without `accounts.key`.
@Suite struct StolenDatabaseTests {
    @Test func `no password, token or key is in the files of the database, in any spelling`() async throws {
        let folder = TemporaryFolder()
        try await AccountWorld.use(in: folder) { world in
            let user = try await world.user()
            let next = try AccountWorld.Session(try await world.refresh(user.refresh))
            #expect(try await world.signIn(more: #", "installation_id": "phone-of-ana""#).status == 200)
            var secrets: [[UInt8]] = [user, next].flatMap { [Array($0.token.utf8), Array($0.refresh.utf8)] }
            secrets += [Array(AccountWorld.password.utf8), Array("phone-of-ana".utf8), Array("PRIVATE KEY".utf8)]
            let key = try #require(world.live.daemon.store.accounts.secrets.key)
            let raw = try #require(Base64URL.decode(key.text.revealed.dropFirst("sbacc_".utf8.count)))
            let signing = try #require(world.live.daemon.store.accounts.secrets.signing(at: world.clock.now)).der
            // The seal of a refresh token, and a piece of the signing key's private exponent, which is behind the public numbers.
            secrets += [raw, Array(signing[340..<372]), Array(try #require(Base64URL.decode(next.refresh))[21...])]
            for (name, bytes) in try Self.files(of: folder) {
                for secret in secrets {
                    for spelling in [secret, Array(Hex.encode(secret).utf8), Array(Base64.encode(secret).utf8), Array(Base64URL.encode(secret).utf8)]
                    {
                        let isThere = bytes.contains(spelling)
                        #expect(!isThere, "\(name): \(Hex.encode(Array(secret.prefix(8))))…")
                    }
                }
            }
        }
    }

    @Test func `tokens made from the rows are rejected, and end nothing`() async throws {
        let folder = TemporaryFolder()
        try await AccountWorld.use(in: folder) { world in
            let user = try await world.user()
            let file = try Connection(folder.path + "/accounts.db", .read)
            let row = try #require(try file.statement("SELECT id, counter FROM sessions").first { (id: $0.bytes(0), counter: UInt32($0.integer(1))) })
            let session = try #require(SessionID(bytes: row.id))
            // Seals under keys that a thief could try: one of its own, and the texts of the database.
            let fingerprint = try #require(try file.statement("SELECT value FROM meta WHERE key = 'key_fingerprint'").first { $0.text(0) })
            let tried = [AccountsKey.make(), AccountsKey(text: "sbacc_" + Base64URL.encode(Array(fingerprint.utf8)))].compactMap(\.self)
            #expect(tried.count == 2)
            for key in tried {
                for counter in row.counter...row.counter + 2 {
                    let forged = RefreshToken(session: session, counter: counter).text(key).revealed
                    #expect(try await world.refresh(forged).status == 401)
                    let body = #"{"refresh_token": "\#(forged)", "everywhere": true}"#
                    #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 401)
                }
            }
            for token in try Self.forgedIDTokens(like: user.token, file) {
                #expect(try await world.live.api.get("/v1/auth/user", key: token).status == 401)
            }
            let hash = try #require(try file.statement("SELECT password FROM accounts").first { $0.text(0) })
            #expect(try await world.signIn(password: hash).status == 401)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 200)
            #expect(try await world.refresh(user.refresh).status == 200)
        }
    }

    /// Tokens with the claims of a real one, signed with what the table of keys has.
    private static func forgedIDTokens(like token: String, _ file: Connection) throws -> [String] {
        let keys = try #require(
            try file.statement("SELECT kid, private, public, certificate FROM keys").first { row in
                (id: row.text(0), secrets: (1...3).map { row.bytes($0) })
            })
        let claims = token.split(separator: ".")[1]
        func forge(_ algorithm: String, _ sign: ([UInt8]) -> [UInt8]) -> String {
            let signed = Base64URL.encode(Array(#"{"alg":"\#(algorithm)","kid":"\#(keys.id)","typ":"JWT"}"#.utf8)) + "." + claims
            return signed + "." + Base64URL.encode(sign(Array(signed.utf8)))
        }
        let own = RSA.makeKey()
        return keys.secrets.map { secret in forge("HS256") { HMACSHA256.authenticate($0, key: secret) } }
            + [forge("none") { _ in [] }, forge("RS256") { RS256Signer(pem: own.privatePEM).sign($0) }, forge("RS256") { _ in keys.secrets[0] }]
    }

    /// The bytes of each file of the database.
    private static func files(of folder: TemporaryFolder) throws -> [(name: String, bytes: Haystack)] {
        let names = try Folder.names(in: folder.path).filter { $0.hasPrefix("accounts.db") && !$0.hasSuffix("-shm") }
        #expect(names.contains("accounts.db"))
        return try names.map { name in
            let file = try File("\(folder.path)/\(name)", .read)
            return (name, Haystack(try file.read(at: 0, count: try file.size)))
        }
    }
}

/// Bytes in which pieces are found by their first four bytes.
private struct Haystack {
    private let bytes: [UInt8]
    private var places: [UInt32: [Int]] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for place in bytes.indices.dropLast(3) { places[Haystack.start(bytes[place...]), default: []].append(place) }
    }

    func contains(_ piece: [UInt8]) -> Bool {
        places[Haystack.start(piece[...]), default: []].contains { bytes[$0...].starts(with: piece) }
    }

    private static func start(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
