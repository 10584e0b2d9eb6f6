// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A libcrypto key, owned by this value alone and freed in its deinit.
struct KeyPointer: ~Copyable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Reads a SubjectPublicKeyInfo without anything behind it.
    init?(publicKey: [UInt8]) {
        guard let made = KeyPointer.read(publicKey, d2i_PUBKEY) else { return nil }
        pointer = made
    }

    /// Reads a private key in PKCS #8 without anything behind it.
    init?(privateKey: [UInt8]) {
        guard let made = KeyPointer.read(privateKey, d2i_AutoPrivateKey) else { return nil }
        pointer = made
    }

    private typealias Read = (UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) -> OpaquePointer?

    private static func read(_ der: [UInt8], _ read: Read) -> OpaquePointer? {
        // libcrypto advances the pointer and keeps none of the bytes.
        let made = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var at = bytes.baseAddress
            guard let key = read(nil, &at, bytes.count) else { return nil }
            guard at == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        // libcrypto stores errors per thread; clear the ones that nobody reads.
        if made == nil { ERR_clear_error() }
        return made
    }

    static func makeRSA(bits: Int32) -> KeyPointer {
        var made: OpaquePointer?
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        let worked =
            EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1 && EVP_PKEY_keygen(context, &made) == 1
        guard worked, let made else { preconditionFailure("libcrypto failed to generate a key") }
        return KeyPointer(owning: made)
    }

    var type: Int32 { EVP_PKEY_get_base_id(pointer) }
    var bits: Int32 { EVP_PKEY_get_bits(pointer) }

    var publicDER: [UInt8] {
        written { i2d_PUBKEY(pointer, $0) }
    }

    var privateDER: [UInt8] {
        guard let info = EVP_PKEY2PKCS8(pointer) else { preconditionFailure("libcrypto failed to export a key") }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return written { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
    }

    /// Returns a number of the key, such as `n` or `e` of RSA, the most significant byte first.
    func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else { preconditionFailure("the key has no number \(name)") }
        defer { BN_free(number) }
        return [UInt8](unsafeUninitializedCapacity: Int(BN_num_bits(number) + 7) / 8) { out, count in
            count = Int(BN_bn2bin(number, out.baseAddress))
        }
    }
}

/// Calls a libcrypto function twice: for the length, and with memory of that length.
func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let length = write(nil)
    precondition(length > 0, "libcrypto failed to export a key or certificate")
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { out, count in
        // libcrypto writes as many bytes as it announced and advances the pointer.
        var at = out.baseAddress
        count = Int(write(&at))
    }
}
