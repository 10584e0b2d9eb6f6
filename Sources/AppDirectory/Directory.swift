// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Every app and key and who is kept out, as of the last change: small, and asked for with each request.
package struct Directory: Sendable {
    package var apps: [AppID: App] = [:]
    /// By the SHA-256 of the key.
    package var keys: [[UInt8]: APIKey] = [:]
    /// Their numbers, by which somebody who was let in is known to be let in still.
    package var keyIDs: Set<Int64> = []
    /// Keys that are service accounts, by their number.
    package var accounts: [Int64: ServiceAccount] = [:]
    /// Keys of users and installations of whom nothing is taken in.
    package var blocked: Set<UInt64> = []

    package init() {}

    /// The app of an id or a name, as it stands in a path.
    package func app(named text: String) -> App? {
        if let number = Int64(text), let app = apps[AppID(rawValue: number)] { return app }
        return apps.values.first { $0.isNamed(text) }
    }
}

extension App {
    /// As the file compares names, so that no two apps answer to one: byte by byte, but for the case of ASCII letters.
    fileprivate func isNamed(_ text: String) -> Bool {
        name.utf8.lazy.map(\.lowerCase).elementsEqual(text.utf8.lazy.map(\.lowerCase))
    }
}

extension UInt8 {
    fileprivate var lowerCase: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}

/// The directory as the writer last left it.
package final class DirectoryCache: Sendable {
    package init() {}

    private let directory = Mutex(Directory())

    package var now: Directory { directory.withLock { $0 } }

    package func replace(with new: Directory) {
        directory.withLock { $0 = new }
    }
}
