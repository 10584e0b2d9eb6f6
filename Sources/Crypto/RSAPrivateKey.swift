// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A private key of RSA that signs many messages: it is parsed once.
///
/// `@unchecked Sendable`: libcrypto reads the key and never changes it; its caches inside have locks of their own.
package final class RSAPrivateKey: @unchecked Sendable {
    private static let bits: Int32 = 2_048

    private let key: KeyPointer
    package let publicKey: SignatureKey

    private init?(_ key: consuming KeyPointer?) {
        guard let key = key.take(), key.type == EVP_PKEY_RSA, let publicKey = SignatureKey(der: key.publicDER) else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Generates a key of 2,048 bits, which takes some hundred milliseconds.
    package static func make() -> RSAPrivateKey {
        guard let key = RSAPrivateKey(KeyPointer.makeRSA(bits: bits)) else { preconditionFailure("libcrypto rejected a key that it generated") }
        return key
    }

    /// Reads a key in PKCS #8; nil for other kinds and lengths.
    package convenience init?(der: [UInt8]) {
        self.init(KeyPointer(privateKey: der))
    }

    /// The key in PKCS #8.
    package var der: [UInt8] { key.privateDER }

    /// Returns the RS256 signature.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var length = Int(key.bits) / 8
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            // A signature is as long as the modulus.
            let isDone =
                EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
                && EVP_DigestSign(context, out.baseAddress, &length, message, message.count) == 1
            precondition(isDone, "libcrypto failed to sign")
            count = length
        }
    }

    /// Returns a bare certificate in DER, signed by the key itself. Its only purpose is a form in which some libraries expect a public key.
    ///
    /// - Parameters:
    ///   - name: The common name of subject and issuer.
    ///   - from: The start of its validity in Unix seconds.
    package func certificate(name: String, from: Int64, until: Int64) -> [UInt8] {
        guard let certificate = X509_new() else { preconditionFailure("libcrypto has no memory for a certificate") }
        defer { X509_free(certificate) }
        let subject = X509_get_subject_name(certificate)
        let text = Array(name.utf8)
        let isDone =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...UInt64(Int64.max))) == 1
            && ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(from)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(until)) != nil
            && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1
            && X509_set_issuer_name(certificate, subject) == 1
            && X509_set_pubkey(certificate, key.pointer) == 1
            && X509_sign(certificate, key.pointer, EVP_sha256()) > 0
        precondition(isDone, "libcrypto failed to write a certificate")
        return written { i2d_X509(certificate, $0) }
    }
}
