// SPDX-License-Identifier: Apache-2.0

import CCrypto
import Crypto
import Synchronization

/// A private key of an attacker or a provider, which signs whatever a test wants.
///
/// `@unchecked Sendable`: libcrypto reads the key and never changes it.
package final class ForgedKey: @unchecked Sendable {
    private let key: OpaquePointer

    private init(_ name: String, _ configure: (OpaquePointer?) -> Int32 = { _ in 1 }) {
        let context = EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, configure(context) == 1, EVP_PKEY_generate(context, &made) == 1, let made else {
            fatalError("libcrypto made no key")
        }
        key = made
    }

    private init(der: [UInt8]) {
        let read = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var at = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &at, bytes.count)
        }
        guard let read else { fatalError("libcrypto read no key") }
        key = read
    }

    deinit { EVP_PKEY_free(key) }

    private static let provided = Atomic(0)

    /// Returns a key for an identity provider, another one than the last few times.
    package static func ofProvider() -> ForgedKey {
        let number = provided.wrappingAdd(1, ordering: .relaxed).oldValue
        return ForgedKey(der: ReadyKeys.ofProviders[number % ReadyKeys.ofProviders.count])
    }

    /// A key that no identity provider has.
    package static let stranger = ForgedKey(der: ReadyKeys.ofStranger)

    package static func rsa(bits: Int32 = 2_048) -> ForgedKey { ForgedKey("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, bits) } }
    package static func p256() -> ForgedKey { ForgedKey("EC") { EVP_PKEY_CTX_set_ec_paramgen_curve_nid($0, NID_X9_62_prime256v1) } }
    package static func ed25519() -> ForgedKey { ForgedKey("ED25519") }

    private var isCurve: Bool { EVP_PKEY_get_base_id(key) == EVP_PKEY_EC }
    private var isEdwards: Bool { EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 }

    /// Signs as JSON Web Signatures write it; ECDSA as r and s.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        let signature = signDER(message)
        return isCurve ? Self.raw(signature) : signature
    }

    /// Signs as libcrypto writes it; ECDSA in DER.
    package func signDER(_ message: [UInt8], digest: OpaquePointer? = EVP_sha256()) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var length = 1_024
        var out = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSignInit(context, nil, isEdwards ? nil : digest, nil, key) == 1,
            EVP_DigestSign(context, &out, &length, message, message.count) == 1
        else { fatalError("libcrypto did not sign") }
        return Array(out[..<length])
    }

    /// The public half as a member of a JWK set.
    package func jwk(_ id: String?, _ more: String = "") -> String {
        let kid = id.map { #""kid":"\#($0)","# } ?? ""
        if isEdwards { return #"{\#(kid)\#(more)"kty":"OKP","crv":"Ed25519","x":"\#(Base64URL.encode(edwardsPoint))"}"# }
        if isCurve { return #"{\#(kid)\#(more)"kty":"EC","crv":"P-256","x":"\#(number("qx", 32))","y":"\#(number("qy", 32))"}"# }
        return #"{\#(kid)\#(more)"kty":"RSA","n":"\#(number("n", 0))","e":"\#(number("e", 0))"}"#
    }

    /// The public half as SubjectPublicKeyInfo.
    package var publicDER: [UInt8] {
        var out = [UInt8](repeating: 0, count: Int(i2d_PUBKEY(key, nil)))
        let count = out.withUnsafeMutableBufferPointer { bytes in
            var at = bytes.baseAddress
            return i2d_PUBKEY(key, &at)
        }
        return Array(out[..<Int(count)])
    }

    private var edwardsPoint: [UInt8] {
        var (out, length) = ([UInt8](repeating: 0, count: 32), 32)
        EVP_PKEY_get_raw_public_key(key, &out, &length)
        return out
    }

    private func number(_ name: String, _ width: Int) -> String {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { fatalError("no number \(name)") }
        defer { BN_free(number) }
        return Base64URL.encode(Self.bytes(number, width))
    }

    private static func bytes(_ number: OpaquePointer?, _ width: Int) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: max(width, Int(BN_num_bits(number) + 7) / 8))
        BN_bn2binpad(number, &out, Int32(out.count))
        return out
    }

    private static func raw(_ der: [UInt8]) -> [UInt8] {
        let signature = der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &at, bytes.count)
        }
        defer { ECDSA_SIG_free(signature) }
        return bytes(ECDSA_SIG_get0_r(signature), 32) + bytes(ECDSA_SIG_get0_s(signature), 32)
    }
}

/// Writes tokens with any header and claims.
package enum Forge {
    package static func token(_ header: String, _ claims: String, sign: ([UInt8]) -> [UInt8]) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return signed + "." + Base64URL.encode(sign(Array(signed.utf8)))
    }
}
