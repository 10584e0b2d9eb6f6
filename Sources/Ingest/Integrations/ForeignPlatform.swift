// SPDX-License-Identifier: Apache-2.0

import JSON

/// The platforms by the names that we know them by, whatever other products call them.
enum ForeignPlatform {
    /// Theirs in small letters; the most frequent come first.
    static let known: [(theirs: StaticString, ours: String)] = [
        ("ios", "ios"), ("android", "android"), ("web", "web"), ("linux", "linux"), ("macos", "macos"), ("windows", "windows"), ("ipados", "ios"),
        ("iphone os", "ios"), ("mac os x", "macos"), ("mac os", "macos"), ("os x", "macos"), ("darwin", "macos"), ("mac", "macos"),
        ("chrome os", "chromeos"), ("browser", "web"),
    ]
}
