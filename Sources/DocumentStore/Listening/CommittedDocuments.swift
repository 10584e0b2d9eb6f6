// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import SignalboxDocumentModel

/// The commits of one transaction, after it is durable.
struct CommittedDocuments: Sendable {
    struct Commit: Sendable {
        let stamp: Int64
        let app: AppID
        let changes: [Preparation.Change]
        /// Whether the commit has new rules of the app.
        var changesRules = false
    }

    /// The stamp of the last commit, which may have changed nothing.
    let stamp: Int64
    let commits: [Commit]
}

extension DocumentChange {
    init(_ change: Preparation.Change) {
        self.init(change.path, before: change.before.map(ListenedDocument.init), after: change.after.map(ListenedDocument.init))
    }
}

extension ListenedDocument {
    init(_ document: StoredDocument) {
        self.init(document.path, document.fields, created: document.created.microseconds, version: document.version.microseconds)
    }
}
