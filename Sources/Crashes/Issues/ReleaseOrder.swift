// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A release of the app.
package struct Release: Hashable, Sendable {
    /// The release key that matches sessions and crashes, such as `2.1.0`.
    package var name: String
    package var build: String?
    /// The time of the first event or crash in this release; before there is one, the time at which a user first named it.
    package var firstSeen: Timestamp?

    package init(_ name: String, build: String? = nil, firstSeen: Timestamp? = nil) {
        self.name = name
        self.build = build
        self.firstSeen = firstSeen
    }

    /// Reads the form used in reports: `shop@2.1.0+57` gives the name `2.1.0` and the build `57`. Returns nil for an empty name.
    package init?(reported text: String) {
        guard let name = ReleaseKey.of(release: text, appVersion: nil) else { return nil }
        self.init(name, build: ReleaseKey.build(of: text))
    }
}

package enum ReleaseOrder {
    /// Whether `a` was released before `b`: by version, then by build. Names that are not versions, such as commit hashes, are ordered by
    /// when they were first seen, and builds of the same name by build. Returns false if neither is known.
    ///
    ///     2.9.1 < 2.10        3.0-beta.2 < 3.0        2.1.0+57 < 2.1.0+58        nightly+57 < nightly+58
    package static func isOlder(_ a: Release, than b: Release) -> Bool {
        guard let left = VersionText(a.name), let right = VersionText(b.name) else {
            if a.name == b.name { return isOlderBuild(a.build, than: b.build) }
            guard let first = a.firstSeen, let second = b.firstSeen else { return false }
            return first < second
        }
        if left < right { return true }
        if right < left { return false }
        return isOlderBuild(a.build ?? left.build, than: b.build ?? right.build)
    }

    /// Whether a build of a release precedes another one. Returns false if one of them is unknown or does not begin like a version.
    package static func isOlderBuild(_ a: String?, than b: String?) -> Bool {
        guard let left = a.flatMap(VersionText.init), let right = b.flatMap(VersionText.init) else { return false }
        return left < right
    }
}
