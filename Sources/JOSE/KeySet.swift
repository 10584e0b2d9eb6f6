// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Platform

/// The usable keys of a JWK set (RFC 7517), as a provider publishes it.
///
/// Keys of other types, sizes, curves or purposes are skipped, so one of them does not spoil the set.
package struct KeySet: Sendable {
    package enum Problem: String, Error, Sendable {
        case tooLarge = "the key set has more than 64 KiB"
        case tooManyKeys = "the key set has more than 32 keys"
        case malformed = "the key set is not an object with a list of keys"
    }

    struct Key: Sendable {
        let id: String?
        let key: SignatureKey
    }

    static let mostBytes = 65_536
    static let mostKeys = 32

    private(set) var keys: [Key] = []

    /// The number of usable keys.
    package var count: Int { keys.count }

    package init(json: [UInt8]) throws(Problem) {
        guard json.count <= KeySet.mostBytes else { throw .tooLarge }
        guard let document = try? JSONValue(json), let list = document["keys"], list.json.first == UInt8(ascii: "[") else { throw .malformed }
        let elements = list.elements
        guard elements.count <= KeySet.mostKeys else { throw .tooManyKeys }
        for element in elements {
            guard let key = KeySet.key(element) else { continue }
            // The first of two with one ID and type counts.
            if !keys.contains(where: { $0.key.kind == key.key.kind && KeySet.isSame($0.id, key.id) }) { keys.append(key) }
        }
    }

    /// Returns the key with this ID, or the only one of this type for a token without an ID.
    func key(_ id: String?, _ kind: SignatureKey.Kind) -> SignatureKey? {
        let fitting = keys.filter { $0.key.kind == kind }
        guard let id else { return fitting.count == 1 ? fitting[0].key : nil }
        return fitting.first { KeySet.isSame($0.id, id) }?.key
    }

    /// Whether the set has a key with this ID of any type. A token that names it with another algorithm is wrong, not new.
    func has(_ id: String?) -> Bool { id == nil ? !keys.isEmpty : keys.contains { KeySet.isSame($0.id, id) } }

    private static func isSame(_ a: String?, _ b: String?) -> Bool {
        switch (a, b) {
        case (let a?, let b?): a.hasSameBytes(as: b)
        case (nil, nil): true
        default: false
        }
    }

    private static func key(_ json: JSONValue) -> Key? {
        guard json["use"].map({ $0.string == "sig" }) ?? true, json["key_ops"].map({ $0.elements.contains { $0.string == "verify" } }) ?? true,
            let key = publicKey(json), json["alg"].map({ $0.string.flatMap(TokenAlgorithm.init(rawValue:))?.keyKind == key.kind }) ?? true
        else { return nil }
        guard let id = json["kid"] else { return Key(id: nil, key: key) }
        return id.string.map { Key(id: $0, key: key) }
    }

    private static func publicKey(_ json: JSONValue) -> SignatureKey? {
        func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64URL.decode($0) } }
        switch (json["kty"]?.string, json["crv"]?.string) {
        case ("RSA", _):
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case ("EC", "P-256"):
            guard let x = bytes("x"), let y = bytes("y") else { return nil }
            return .p256(x: x, y: y)
        case ("OKP", "Ed25519"): return bytes("x").flatMap { .ed25519($0) }
        default: return nil
        }
    }
}
