// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// RS256 of JSON Web Signatures: RSASSA-PKCS1-v1_5 with SHA-256 and keys of 2,048 to 4,096 bits.
package enum RSA {
    private static let bits: ClosedRange<Int32> = 2_048...4_096

    /// Whether the signature is valid. False also for an invalid key, one of another type, or of another length.
    package static func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        isPublicKey(publicKey) && SignatureKey(der: publicKey)?.isValid(signature, of: message) ?? false
    }

    package static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard let key = KeyPointer(publicKey: bytes) else { return false }
        return key.type == EVP_PKEY_RSA && bits.contains(key.bits)
    }

    /// Generates a key: the private half as PKCS #8 in PEM, the public half as DER (SubjectPublicKeyInfo).
    package static func makeKey() -> (privatePEM: String, publicKey: [UInt8]) {
        let key = KeyPointer.makeRSA(bits: bits.lowerBound)
        return (PEM.encode(key.privateDER, "PRIVATE KEY"), key.publicDER)
    }
}
