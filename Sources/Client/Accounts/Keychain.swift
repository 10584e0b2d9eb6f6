// SPDX-License-Identifier: Apache-2.0

// Not compiled in our CI, which has no Apple platform.
#if canImport(Security)
    import Foundation
    import Security

    /// An item of the Keychain, readable after the first unlock and on this device alone.
    struct Keychain: CredentialStore {
        private let account: String

        /// - Parameter account: The name of the item: one for each daemon and folder.
        init(account: String) {
            self.account = account
        }

        private var query: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "Signalbox", kSecAttrAccount: account]
        }

        func read() throws(AccountError) -> StoredCredentials {
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &item)
            switch status {
            case errSecSuccess: return decodedCredentials(item as? Data ?? Data())
            case errSecItemNotFound: return StoredCredentials()
            default: throw .credentialsUnreadable(reason: Keychain.text(status))
            }
        }

        func write(_ credentials: StoredCredentials) throws(AccountError) {
            let status = credentials.isEmpty ? SecItemDelete(query as CFDictionary) : try put(try encodedCredentials(credentials))
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw .credentialsNotStored(reason: Keychain.text(status))
            }
        }

        private func put(_ data: Data) throws(AccountError) -> OSStatus {
            let values: [CFString: Any] = [
                kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            return status == errSecItemNotFound ? SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil) : status
        }

        private static func text(_ status: OSStatus) -> String {
            SecCopyErrorMessageString(status, nil) as String? ?? "Keychain error \(status)"
        }
    }
#endif
