// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A release that crashes came from, as far as it is known.
package struct Release: Hashable, Sendable {
    /// The release key: what sessions and crashes are matched by.
    package var name: String
    package var build: String?
    /// When the app was first heard of in it; until it is, when somebody named it.
    package var firstSeen: Timestamp?

    package init(_ name: String, build: String? = nil, firstSeen: Timestamp? = nil) {
        self.name = name
        self.build = build
        self.firstSeen = firstSeen
    }

    /// From the form that reports name it in, such as `shop@2.1.0+57`; nil where nothing names it.
    package init?(reported text: String) {
        guard let name = ReleaseKey.of(release: text, appVersion: nil) else { return nil }
        self.init(name, build: ReleaseKey.build(of: text))
    }
}

package enum ReleaseOrder {
    /// Whether `a` came out before `b`: by their versions, then by their builds. Names that are no versions, such as hashes of commits, are ordered by when they
    /// were first seen. False where nothing tells.
    package static func isOlder(_ a: Release, than b: Release) -> Bool {
        guard let left = VersionText(a.name), let right = VersionText(b.name) else {
            guard a.name != b.name, let first = a.firstSeen, let second = b.firstSeen else { return false }
            return first < second
        }
        if left < right { return true }
        if right < left { return false }
        guard let left = (a.build ?? left.build).flatMap(VersionText.init), let right = (b.build ?? right.build).flatMap(VersionText.init) else {
            return false
        }
        return left < right
    }
}
