// SPDX-License-Identifier: Apache-2.0

import Crypto
@testable import JOSE
import TestSupport
import Testing

struct KeySetTests {
    private func keys(_ members: String...) throws -> KeySet { try KeySet(json: Array(#"{"keys":[\#(members.joined(separator: ","))]}"#.utf8)) }

    @Test func `unusable keys are skipped`() throws {
        let (rsa, p256, edwards) = (HostileVector.rsa, HostileVector.p256, HostileVector.edwards)
        #expect(try KeySet(json: Array(HostileVector.set.utf8)).count == 3)
        #expect(try keys(rsa.jwk("a"), p256.jwk("a"), edwards.jwk("a")).count == 3)
        #expect(try keys(rsa.jwk("a", #""use":"sig","alg":"RS256","key_ops":["verify"],"#)).count == 1)
        for wrong in [#""alg":"ES256","#, #""alg":1,"#, #""use":"enc","#, #""use":["sig"],"#, #""key_ops":["encrypt"],"#, #""key_ops":"verify","#] {
            #expect(try keys(rsa.jwk("a", wrong)).count == 0)
        }
        for wrong in ["1", "{}", #"{"kty":"RSA"}"#, #"{"kty":"RSA","n":"AA","e":"AQAB"}"#, #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#] {
            #expect(try keys(wrong, #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#).count == 0)
        }
        #expect(try keys(rsa.jwk("a").replacing(#""kid":"a""#, with: #""kid":1"#)).count == 0)
    }

    @Test func `a key is found by ID and type, and without an ID if it is the only one`() throws {
        let (rsa, other, p256) = (HostileVector.rsa, HostileVector.stranger, HostileVector.p256)
        let set = try keys(rsa.jwk("a"), other.jwk("a"), p256.jwk("a"), other.jwk("b"))
        #expect(set.count == 3)
        #expect(set.key("a", .rsa)?.der == rsa.publicDER && set.key("b", .rsa)?.der == other.publicDER)
        #expect(set.key("a", .p256)?.der == p256.publicDER && set.key(nil, .p256)?.der == p256.publicDER)
        #expect(set.key(nil, .rsa) == nil && set.key("a", .ed25519) == nil && set.key("c", .rsa) == nil)
        #expect(set.has("a") && !set.has("c") && set.has(nil))
        #expect(try keys(rsa.jwk(nil)).key("a", .rsa) == nil)
    }

    @Test func `only bounded sets are read`() throws {
        let one = HostileVector.edwards.jwk("a")
        #expect(try KeySet(json: Array(#"{"keys":[\#(repeatElement("{}", count: 31).joined(separator: ",")),\#(one)]}"#.utf8)).count == 1)
        #expect(throws: KeySet.Problem.tooManyKeys) {
            try KeySet(json: Array(#"{"keys":[\#(repeatElement("{}", count: 33).joined(separator: ","))]}"#.utf8))
        }
        let padding = String(repeating: " ", count: 65_536)
        #expect(throws: KeySet.Problem.tooLarge) { try KeySet(json: Array(#"{"keys":[]\#(padding)}"#.utf8)) }
        for wrong in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":"a"}"#, "<html>"] {
            #expect(throws: KeySet.Problem.malformed) { try KeySet(json: Array(wrong.utf8)) }
        }
    }
}
