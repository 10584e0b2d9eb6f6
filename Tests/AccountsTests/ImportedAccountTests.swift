// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
import Crypto
import JSON
import Platform
import Testing

struct ImportedAccountTests {
    private static let key = AccountsKey.make()

    private func read(
        _ json: String, hashes: HashImport? = nil, from source: ImportedAccount.Source = .otherProduct
    ) throws -> ImportedAccount {
        try ImportedAccount(JSONValue(Array(json.utf8)), hashes: hashes, from: source)
    }

    private static let bcrypt = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"

    @Test func `an account of the native API is read`() throws {
        let account = try read(
            """
            {"id": "ana", "email": "Ana@example.org", "email_verified": true, "name": "Ana", "photo_url": "https://e.example/a.png",
             "phone": "+4930123456", "disabled": true, "claims": {"admin": true}, "created_at": "2024-01-31T10:00:00Z",
             "last_sign_in_at": 1706695200000, "password_hash": "\(Self.bcrypt)", "anything": null}
            """)
        #expect(account.uid == "ana" && account.email?.key == "ana@example.org" && account.isEmailVerified && account.name == "Ana")
        #expect(account.phone == "+4930123456" && account.isDisabled && account.claims == #"{"admin": true}"#)
        #expect(account.created == account.lastSignIn && account.created?.milliseconds == 1_706_695_200_000)
        #expect(account.hash?.stored == Self.bcrypt && account.hash?.isFast == false)
    }

    @Test func `an account of Firebase is read with the parameters of its hash`() throws {
        var parameters = HashImport.Parameters(algorithm: "SHA256")
        (parameters.rounds, parameters.isSaltFirst) = (1, true)
        let hashes = try HashImport(parameters, Self.key)
        let hash = Base64URL.encode(SHA256.hash(Array("NaClcorrect horse".utf8)))
        let account = try read(
            """
            {"localId": "ana", "email": "ana@example.org", "emailVerified": true, "passwordHash": "\(hash)", "salt": "TmFDbA==",
             "displayName": "Ana", "createdAt": "1706695200000", "lastSignedInAt": "1706695200000", "customAttributes": "{\\"a\\":1}",
             "providerUserInfo": []}
            """, hashes: hashes)
        #expect(account.uid == "ana" && account.claims == #"{"a":1}"# && account.created == account.lastSignIn && !account.isAnonymous)
        #expect(account.hash?.isFast == true)
        let arena = Argon2Arena()
        let isRight = account.hash?.matches(Array("correct horse".utf8), HashSecrets(Self.key), arena)
        #expect(isRight == true)
        #expect(try read(#"{"localId": "x", "createdAt": "1706695200000"}"#).isAnonymous)
        #expect(try !read(#"{"localId": "x", "createdAt": "1706695200000", "providerUserInfo": [{"providerId": "google.com"}]}"#).isAnonymous)
    }

    @Test func `an account of Supabase is read`() throws {
        let account = try read(
            """
            {"id": "8f1e", "aud": "authenticated", "email": "ana@example.org", "encrypted_password": "\(Self.bcrypt)",
             "email_confirmed_at": "2024-01-31 10:00:00+00", "phone": "4930123456", "raw_user_meta_data": {"full_name": "Ana", "avatar_url": null},
             "created_at": "2024-01-31 10:00:00.123456+00", "last_sign_in_at": "2024-01-31T10:00:00Z", "banned_until": null, "is_anonymous": false}
            """)
        #expect(account.uid == "8f1e" && account.isEmailVerified && account.phone == "+4930123456" && account.name == "Ana" && !account.isDisabled)
        #expect(account.created?.milliseconds == 1_706_695_200_123 && account.hash?.stored == Self.bcrypt)
        #expect(try read(#"{"id": "8f1e", "raw_app_meta_data": {}, "banned_until": "2999-01-01 00:00:00+00"}"#).isDisabled)
    }

    @Test func `a hash of ours is accepted only with the key that seals it`() throws {
        let own = PasswordHash(.argon2(Argon2(memoryKiB: 64, passes: 1, lanes: 1)), salt: Array("saltsalt".utf8), key: Array(repeating: 7, count: 32))
        let json = #"{"id": "ana", "password_hash": "\#(own.stored)"}"#
        #expect(try read(json, from: .ownExport(hasKey: true)).hash?.stored == own.stored)
        #expect(throws: ImportProblem.self) { try read(json, from: .ownExport(hasKey: false)) }
        // In an import of another product the same text is a hash without our pepper.
        #expect(try read(json).hash?.stored == own.stored.replacing("$argon2id", with: "$import-argon2id"))
        let other = #"{"id": "ana", "password_hash": "\#(Self.bcrypt)"}"#
        #expect(try read(other, from: .ownExport(hasKey: false)).hash?.stored == Self.bcrypt)
    }

    @Test(arguments: [
        ("[]", ""), ("{}", "id"), (#"{"id": ""}"#, "id"), (#"{"id": "a\u0000"}"#, "id"), (#"{"id": 7}"#, "id"), (#"{"id": "a", "id": "b"}"#, "id"),
        (#"{"id": "a", "email": "x"}"#, "email"), (#"{"id": "a", "email": "a@b.c\r\nBcc: d@e.f"}"#, "email"),
        (#"{"id": "a", "email_verified": 1}"#, "email_verified"), (#"{"id": "a", "phone": "12"}"#, "phone"),
        (#"{"id": "a", "photo_url": "javascript:alert(1)"}"#, "photo_url"), (#"{"id": "a", "claims": {"sub": 1}}"#, "claims"),
        (#"{"id": "a", "claims": []}"#, "claims"),
        (#"{"id": "a", "created_at": -1}"#, "created_at"), (#"{"id": "a", "created_at": "yesterday"}"#, "created_at"),
        (#"{"id": "a", "created_at": 9223372036854775807}"#, "created_at"),
        (#"{"id": "a", "password_hash": "$1$abc"}"#, "password_hash"), (#"{"id": "a", "password_hash": "AAAA"}"#, "password_hash"),
        (#"{"id": "a", "encrypted_password": "plain"}"#, "encrypted_password"), (#"{"localId": "a", "passwordHash": "AAAA"}"#, "passwordHash"),
        (#"{"localId": "a", "customAttributes": "x"}"#, "customAttributes"),
        (#"{"localId": "a", "mfaInfo": [{"mfaEnrollmentId": "f", "phoneInfo": "+491701234567"}]}"#, "mfaInfo"),
    ])
    func `a wrong field is named`(_ json: String, _ field: String) {
        #expect { try read(json) } throws: { ($0 as? ImportProblem)?.field == field }
    }

    @Test func `an account of Firebase without second factors is added`() throws {
        for factors in ["[]", "null"] { #expect(try read(#"{"localId": "a", "mfaInfo": \#(factors)}"#).uid == "a") }
    }

    @Test func `the parameters of Firebase's console and of JSON are the same`() throws {
        let block = """
            hash_config {
              algorithm: SCRYPT,
              base64_signer_key: jxspr8Ki0RYy==,
              base64_salt_separator: Bw==,
              rounds: 8,
              mem_cost: 14,
            }
            """
        let json = try #require(HashParameterText.json(block))
        let parameters = try HashImport.Parameters(JSONValue(json))
        #expect(parameters.algorithm == "SCRYPT" && parameters.rounds == 8 && parameters.memoryCost == 14)
        #expect(parameters.saltSeparator == [7] && parameters.signerKey == Base64.decodeLeniently("jxspr8Ki0RYy"))
        #expect(HashParameterText.json(String(decoding: json, as: UTF8.self)) == json)
        for wrong in ["", "x", "hash_config { x: 1 }", "hash_config { algorithm }", "{", "}{"] {
            #expect(HashParameterText.json(wrong) == nil, "\(wrong)")
        }
        #expect(try HashImport.Parameters(JSONValue(Array(#"{"algorithm": "hmac_sha256"}"#.utf8))).isSaltFirst == false)
        #expect(try HashImport.Parameters(JSONValue(Array(#"{"algorithm": "SHA256", "order": "password_first"}"#.utf8))).isSaltFirst == false)
        #expect(throws: ImportProblem.self) { try HashImport.Parameters(JSONValue(Array(#"{"algorithm": "SHA256", "order": "x"}"#.utf8))) }
    }
}

struct EntrySplitterTests {
    private func split(_ text: String, step: Int) throws -> [String] {
        var (splitter, entries) = (EntrySplitter(), [String]())
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            try splitter.add(bytes[start..<min(start + step, bytes.count)]) { entries.append(String(decoding: $0, as: UTF8.self)) }
        }
        try splitter.finish()
        return entries
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func `lines, lists and exports are the same`(_ step: Int) throws {
        let entries = [#"{"id":"a","x":{"y":["}"]}}"#, #"{"users":"\"]"}"#, "{}"]
        let texts = [
            entries.joined(separator: "\n"), entries.joined(separator: "\r\n\r\n") + "\n", "[" + entries.joined(separator: ",\n ") + "]",
            #"{ "users" : [ "# + entries.joined(separator: ", ") + " ] }\n",
        ]
        for text in texts { #expect(try split(text, step: step) == entries, "\(text)") }
        #expect(try split("", step: step).isEmpty && split("[]", step: step).isEmpty && split(#"{"users":[]}"#, step: step).isEmpty)
        // It begins as an export does.
        #expect(try split(#"{"users":7}"#, step: step) == [#"{"users":7}"#])
        #expect(try split("{}", step: step) == ["{}"])
    }

    @Test(arguments: ["x", "[1]", #"[{}] {}"#, "{", #"{"a":"#, "[{}", #"{"users":[{}]"#, "{},{}", "]", "}", #""{}""#])
    func `anything else is an error`(_ text: String) {
        #expect(throws: EntrySplitter.Problem.self) { try split(text, step: 1) }
    }

    @Test func `an endless entry is rejected at its limit`() {
        var splitter = EntrySplitter()
        let bytes = Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x61, count: EntrySplitter.mostBytes)
        #expect(throws: EntrySplitter.Problem.tooLong(entry: 0)) { try splitter.add(bytes[...]) { _ in } }
    }
}
