// SPDX-License-Identifier: Apache-2.0

import API
import Platform

/// A user, or an installation: `ann`, `installation my-phone`.
struct PersonReference: Sendable {
    let id: String
    let isInstallation: Bool

    init(_ words: String) {
        let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
        isInstallation = parts.count == 2 && parts[0] == "installation"
        id = isInstallation ? parts[1] : words
    }

    /// `user` or `installation`.
    var kind: String { isInstallation ? "installation" : "user" }

    /// As typed.
    var words: String { isInstallation ? "installation \(id)" : id }

    func query(_ name: String, limit: Int, every seconds: Int64) -> DaemonQuery<PersonResponse> {
        let by = isInstallation ? [("by", "installation")] : []
        return DaemonQuery(name, "/v1/users/\(id.percentEncoded)", by + [("limit", String(limit))], every: seconds)
    }

    /// The message for an unknown ID.
    var unknown: String {
        isInstallation
            ? "Installation «\(id)» not found. For a user, type :person and the user ID."
            : "User «\(id)» not found. For an installation, type :person installation and its ID. IDs are case-sensitive."
    }
}
