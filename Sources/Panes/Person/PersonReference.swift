// SPDX-License-Identifier: Apache-2.0

import Platform

/// Who is meant: a user, or with the word `installation` before its id an installation.
struct PersonReference: Sendable {
    let id: String
    let isInstallation: Bool

    init(_ words: String) {
        let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
        isInstallation = parts.count == 2 && parts[0] == "installation"
        id = isInstallation ? parts[1] : words
    }

    /// What it is.
    var kind: String { isInstallation ? "installation" : "user" }

    /// As it is typed.
    var words: String { isInstallation ? "installation \(id)" : id }

    func query(_ name: String, limit: Int, every seconds: Int64) -> DaemonQuery<PersonResponse> {
        let by = isInstallation ? [("by", "installation")] : []
        return DaemonQuery(name, "/v1/users/\(id.percentEncoded)", by + [("limit", String(limit))], every: seconds)
    }

    /// What is said where nobody has that id.
    var unknown: String {
        isInstallation
            ? "No installation «\(id)» is known. A user is found with :person and the user's id."
            : "No user «\(id)» is known. An installation is found with :person installation and its id; upper and lower case matter."
    }
}
