// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform

/// Texts of accounts: an address, a refresh token, a key, a stored or imported hash, a password, the URL and `Cache-Control` of a provider.
///
/// An accepted text has one spelling: it prints as itself, or as what reads as the same.
enum AccountTexts {
    private static let key = AccountsKey.make()

    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        if let address = EmailAddress(text) {
            accepted()
            let isPlain = address.text.unicodeScalars.allSatisfy {
                !$0.isControl && !$0.isInvisible && !" \"<>(),:;[]\\".unicodeScalars.contains($0)
            }
            require(address.text.hasSameBytes(as: text.composed) && isPlain, "an address with a character that mail gives a meaning")
            require(EmailAddress(address.key)?.key.hasSameBytes(as: address.key) == true, "the key of an address is no address")
        }
        require(RefreshToken(text, key) == nil, "a forged refresh token is accepted")
        if let read = AccountsKey(text: text) {
            accepted()
            require(read.text.revealed.utf8.elementsEqual(bytes), "a key with two spellings")
        }
        if let hash = PasswordHash(stored: text) {
            accepted()
            require(hash.stored.utf8.elementsEqual(bytes), "a hash with two spellings")
        }
        if let hash = HashImport.hash(text: text) { require(PasswordHash(stored: hash.stored) == hash, "an imported hash cannot be stored") }
        if PasswordPolicy.problem(of: text, isDevelopment: false) == nil {
            require((8...1_024).contains(bytes.count), "a password of \(bytes.count) bytes")
        }
        if let url = ProviderURL(text) {
            accepted()
            require(
                url.text.utf8.elementsEqual(bytes) && bytes.allSatisfy { (0x21...0x7e).contains($0) }, "a URL with a character that hides another")
            require(text.hasPrefix(url.isPlain ? "http://" : "https://"), "a URL of another scheme")
        }
        require(KeySetAge.lifetime(cacheControl: text) <= KeySetAge.lifetimes.upperBound, "keys for more than a day")
        if AccountID.isValid(text) { require((1...128).contains(bytes.count) && !bytes.contains { $0 < 0x20 }, "a user ID with a control character") }
    }
}
