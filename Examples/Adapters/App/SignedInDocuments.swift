// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocuments

/// Keeps documents at the signed-in user. Each user has a store of its own on the device.
public actor SignedInDocuments {
    private let accounts: any Accounts
    private let documents: Documents
    private var user: String?
    private var switching: Task<Void, any Error>?

    /// - Parameter user: The user with whom the documents were opened.
    public init(_ documents: Documents, of user: String?, accounts: any Accounts) {
        (self.documents, self.user, self.accounts) = (documents, user, accounts)
    }

    /// Returns once the documents are those of the user who is signed in now. Streams of another user have ended then.
    public func update() async throws {
        let current = accounts.currentUser?.id
        if current != user {
            user = current
            let (before, documents) = (switching, documents)
            switching = Task {
                _ = await before?.result
                try await documents.setUser(current)
            }
        }
        try await switching?.value
    }

    /// Follows sign-ins and ends of sessions, also those that other devices and administrators cause.
    public func follow() async {
        for await _ in accounts.userStream() {
            do {
                try await update()
            } catch {
                // The next call of `update()` throws it to somebody who can tell the user.
                continue
            }
        }
    }
}
