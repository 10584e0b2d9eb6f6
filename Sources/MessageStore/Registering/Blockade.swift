// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Messaging
import Platform

/// Rejects registrations of blocked people, and knows the limit of an app.
struct Blockade: Sendable {
    let directory: DirectoryCache
    let hash: KeyedHash

    /// Returns the operator's limit of an app's devices; 0 for none.
    func mostDevices(of app: AppID) -> Int { directory.now.apps[app]?.settings.quota.devices ?? 0 }

    func check(_ draft: RegistrationDraft, app: AppID) throws(Refusal) {
        let blocked = directory.now.blocked
        if blocked.isEmpty { return }
        for (field, id) in [
            ("user_id", draft.user.map { PersonID(.user, $0) }), ("installation_id", draft.installation.map { PersonID(.installation, $0) }),
        ] {
            guard let id, blocked.contains(id.key(in: app, hash)) else { continue }
            throw Refusal(
                .forbidden, "This user is blocked.", hint: "The user was erased with block; DELETE /v1/users/{id}/block unblocks them.",
                fields: [.init(field, "blocked", "names a blocked user")])
        }
    }
}
