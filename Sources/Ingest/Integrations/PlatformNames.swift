// SPDX-License-Identifier: Apache-2.0

import JSON

/// Maps the platform names of other products to ours.
enum PlatformNames {
    /// Other products' names in lower case, the most frequent first.
    static let known: [(theirs: StaticString, ours: String)] = [
        ("ios", "ios"), ("android", "android"), ("web", "web"), ("linux", "linux"), ("macos", "macos"), ("windows", "windows"), ("ipados", "ios"),
        ("iphone os", "ios"), ("mac os x", "macos"), ("mac os", "macos"), ("os x", "macos"), ("darwin", "macos"), ("mac", "macos"),
        ("chrome os", "chromeos"), ("browser", "web"),
    ]
}
