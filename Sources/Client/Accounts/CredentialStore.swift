// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// The place of the credentials on this device.
protocol CredentialStore: Sendable {
    /// Returns the credentials, empty if there are none. Throws if they cannot be read now, which is not the same.
    func read() throws(AccountError) -> StoredCredentials

    /// Replaces the credentials; they survive the end of the process once this returns.
    func write(_ credentials: StoredCredentials) throws(AccountError)
}

/// A file that this user alone may read. It is replaced as a whole.
struct CredentialFile: CredentialStore {
    private let path: String

    init(folder: URL) {
        path = folder.appendingPathComponent("credentials.json").path
    }

    func read() throws(AccountError) -> StoredCredentials {
        do {
            return decodedCredentials(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return StoredCredentials()
        } catch {
            throw .credentialsUnreadable(reason: error.localizedDescription)
        }
    }

    func write(_ credentials: StoredCredentials) throws(AccountError) {
        guard !credentials.isEmpty else {
            unlink(path + ".new")
            guard unlink(path) == 0 || errno == ENOENT else { throw failure }
            return
        }
        guard AppendFile.replace(path, with: [UInt8](try encodedCredentials(credentials))) else { throw failure }
    }

    private var failure: AccountError { .credentialsNotStored(reason: String(cString: strerror(errno))) }
}

/// Decodes stored credentials. Those that are damaged are gone, since waiting does not bring them back.
func decodedCredentials(_ data: Data) -> StoredCredentials {
    (try? JSONDecoder().decode(StoredCredentials.self, from: data)) ?? StoredCredentials()
}

func encodedCredentials(_ credentials: StoredCredentials) throws(AccountError) -> Data {
    do {
        return try JSONEncoder().encode(credentials)
    } catch {
        throw .credentialsNotStored(reason: error.localizedDescription)
    }
}
