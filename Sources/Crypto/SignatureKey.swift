// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A public key that checks many signatures: it is parsed once.
///
/// `@unchecked Sendable`: libcrypto reads the key and never changes it; its caches inside have locks of their own.
package final class SignatureKey: @unchecked Sendable {
    package enum Kind: Sendable {
        /// RS256: RSASSA-PKCS1-v1_5 with SHA-256, 2,048 to 8,192 bits.
        case rsa
        /// ES256: ECDSA with P-256 and SHA-256. A signature is r and s, 32 bytes each.
        case p256
        /// EdDSA with Ed25519.
        case ed25519
    }

    private static let rsaBits: ClosedRange<Int32> = 2_048...8_192

    package let kind: Kind
    private let key: KeyPointer

    private init?(_ key: consuming KeyPointer?) {
        guard let key = key.take(), let kind = SignatureKey.kind(type: key.type, bits: key.bits) else { return nil }
        self.key = key
        self.kind = kind
    }

    /// Reads a SubjectPublicKeyInfo; nil for other kinds and lengths.
    package convenience init?(der: [UInt8]) {
        self.init(KeyPointer(publicKey: der))
        if kind == .p256, !isNamedP256 { return nil }
    }

    /// Creates a key of RSA; nil outside 2,048 to 8,192 bits and for an even or tiny exponent.
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) -> SignatureKey? {
        // A longer exponent only serves to make the check expensive.
        guard modulus.count <= Int(rsaBits.upperBound) / 8, (1...4).contains(exponent.count), exponent.last.map({ $0 & 1 == 1 }) ?? false,
            exponent.count > 1 || exponent[0] >= 3
        else { return nil }
        let algorithm: [UInt8] = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00]
        return SignatureKey(der: DER.sequence(algorithm, DER.bitString(DER.sequence(DER.integer(modulus), DER.integer(exponent)))))
    }

    /// Creates a key of P-256; nil for a point outside the curve.
    package static func p256(x: [UInt8], y: [UInt8]) -> SignatureKey? {
        guard x.count == 32, y.count == 32 else { return nil }
        return SignatureKey(der: DER.sequence(p256Algorithm, DER.bitString([4] + x + y)))
    }

    package static func ed25519(_ bytes: [UInt8]) -> SignatureKey? {
        guard bytes.count == 32, let pointer = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else { return nil }
        return SignatureKey(KeyPointer(owning: pointer))
    }

    /// The SubjectPublicKeyInfo.
    package var der: [UInt8] { key.publicDER }

    /// The modulus and exponent of a key of RSA.
    package var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? { kind == .rsa ? (key.number("n"), key.number("e")) : nil }

    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch kind {
        case .rsa: verify(signature, of: message, EVP_sha256())
        case .p256: ECDSASignature(signature).map { verify($0.der, of: message, EVP_sha256()) } ?? false
        case .ed25519: signature.count == Ed25519.signatureLength && verify(signature, of: message, nil)
        }
    }

    private func verify(_ signature: [UInt8], of message: [UInt8], _ digest: OpaquePointer?) -> Bool {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        // The pointers are valid during the call only.
        let isValid =
            EVP_DigestVerifyInit(context, nil, digest, nil, key.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }

    private static let p256Algorithm: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]

    /// Whether the curve is named. A key with explicit parameters could claim to be P-256 with another generator (CVE-2020-0601).
    private var isNamedP256: Bool { der.dropFirst(2).starts(with: SignatureKey.p256Algorithm) }

    private static func kind(type: Int32, bits: Int32) -> Kind? {
        switch type {
        case EVP_PKEY_RSA: rsaBits.contains(bits) ? .rsa : nil
        case EVP_PKEY_EC: bits == 256 ? .p256 : nil
        case EVP_PKEY_ED25519: .ed25519
        default: nil
        }
    }
}

/// A signature of P-256 as JSON Web Signatures write it: r and s, 32 bytes each, both from 1 to the group's order − 1.
struct ECDSASignature {
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3,
        0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    let der: [UInt8]

    init?(_ raw: [UInt8]) {
        guard raw.count == 64 else { return nil }
        let (r, s) = (raw[..<32], raw[32...])
        for number in [r, s] {
            guard number.contains(where: { $0 != 0 }), number.lexicographicallyPrecedes(ECDSASignature.order) else { return nil }
        }
        der = DER.sequence(DER.integer(r), DER.integer(s))
    }
}
