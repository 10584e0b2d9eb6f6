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

    /// The profile with the timeline in pages.
    var query: PagedQuery<PersonResponse> {
        let by = isInstallation ? [("by", "installation")] : []
        let first = DaemonQuery<PersonResponse>("person", "/v1/users/\(id.percentEncoded)", by + [("limit", "100")], every: 5)
        return PagedQuery(first, id: \.key)
    }

    /// The message for an unknown ID.
    var unknown: String {
        isInstallation
            ? "Installation «\(id)» not found. For a user, type :person and the user ID."
            : "User «\(id)» not found. For an installation, type :person installation and its ID. IDs are case-sensitive."
    }
}
