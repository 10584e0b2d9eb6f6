// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// A snapshot of the apps, the API keys and the blocked persons, in memory because every request needs it.
///
/// The writer of events replaces it after each commit that changes it, so that no request reads it from the database.
package struct Directory: Sendable {
    package var apps: [AppID: App] = [:]
    /// Keys by their SHA-256.
    package var keys: [[UInt8]: APIKey] = [:]
    /// The same keys by their IDs.
    package var keysByID: [Int64: APIKey] = [:]
    /// The expiry of each key, or nil. A connection that was admitted earlier is valid while its key is in here and not expired.
    package var expiries: [Int64: Timestamp?] = [:]
    /// Service accounts by the ID of their key.
    package var accounts: [Int64: ServiceAccount] = [:]
    /// The keys of blocked users and installations, whose data is dropped.
    package var blocked: Set<UInt64> = []

    package init() {}

    /// Whether a key exists and has not expired.
    package func isValid(key id: Int64, at now: Timestamp) -> Bool {
        guard let expires = expiries[id] else { return false }
        return expires.map { now < $0 } ?? true
    }

    /// Returns an app by its ID, its name or its project. No two apps share one of them.
    package func app(named text: String) -> App? {
        if let number = Int64(text), let app = apps[AppID(rawValue: number)] { return app }
        return apps.values.first { $0.isNamed(text) } ?? app(project: text)
    }

    /// Returns the app whose project this is, compared byte by byte.
    package func app(project: String) -> App? {
        apps.values.first { $0.project.utf8.elementsEqual(project.utf8) }
    }
}

extension App {
    /// Compares names as the database does: byte by byte, without the case of ASCII letters.
    fileprivate func isNamed(_ text: String) -> Bool {
        name.utf8.lazy.map(\.lowercased).elementsEqual(text.utf8.lazy.map(\.lowercased))
    }
}

/// The current directory, shared by all threads.
package final class DirectoryCache: Sendable {
    package init() {}

    private let directory = Mutex(Directory())

    package var now: Directory { directory.withLock { $0 } }

    package func replace(with new: Directory) {
        directory.withLock { $0 = new }
    }
}
