// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform

/// Options of accounts.
struct AccountOptions: Sendable {
    var url: String?
    var refreshRotation = true
    var emulator = false
    var providers: [IdentityProvider] = []

    static let settings: [Setting<AccountOptions>] = [
        Setting(
            "url", .optionalText, \.url,
            "The daemon's URL for clients, which ID tokens name as their issuer; null for the address it listens on", live: true),
        Setting(
            "refresh_rotation", .flag, \.refreshRotation,
            "Whether each use of a refresh token gives a new one; off for clients that keep the first", live: true),
        Setting(
            "emulator", .flag, \.emulator,
            "In development: whether clients on this machine may use the conveniences of Firebase's emulators of accounts, documents, files, functions and task queues, which check no key",
            live: true),
        Setting("providers", IdentityProvider.list, \.providers, "Identity providers whose ID tokens sign users in", live: true),
    ]
}
