// SPDX-License-Identifier: Apache-2.0

/// An action that the audit log records. The raw value is its public name.
///
/// The route table names one for each route that changes what an app's admin or the operator is responsible for.
package enum AuditAction: String, CaseIterable, Sendable {
    case appCreate = "app.create"
    case appChange = "app.change"
    case appDelete = "app.delete"
    case keyCreate = "key.create"
    case keyRotate = "key.rotate"
    case keyRevoke = "key.revoke"
    case personErase = "person.erase"
    case personAnonymise = "person.anonymise"
    case personUnblock = "person.unblock"
    case personExport = "person.export"
    case eventsExport = "events.export"
    case quarantineReplay = "quarantine.replay"
    case issueChange = "issue.change"
    case issueDelete = "issue.delete"
    case issueRegroup = "issue.regroup"
    case issueMerge = "issue.merge"
    case issueSplit = "issue.split"
    case issueNote = "issue.note"
    case symbolsStore = "symbols.store"
    case symbolsDelete = "symbols.delete"
    case releaseChange = "release.change"
    case queryStore = "query.store"
    case queryDelete = "query.delete"
    case cohortStore = "cohort.store"
    case cohortDelete = "cohort.delete"
    case webhookSecretRotate = "webhook_secret.rotate"
    case backupCreate = "backup.create"
    case backupRestore = "backup.restore"
    case accountCreate = "account.create"
    case accountChange = "account.change"
    case accountDelete = "account.delete"
    case accountSignOut = "account.sign_out"
    case accountImport = "account.import"
    case accountExport = "account.export"
    case accountFactorsRemove = "account.factors.remove"
    case accountReset = "account.reset"
    case accountCode = "account.code"
    case accountKeysRotate = "account.keys.rotate"
    case documentIndexesChange = "documents.indexes.change"
    case rulesStore = "rules.store"
    case rulesShadow = "rules.shadow"
    case documentPersonsChange = "documents.persons.change"
    case fileRulesStore = "files.rules.store"
    case filePersonsChange = "files.persons.change"
    case filePendingChange = "files.pending.change"
    case filePendingDecide = "files.pending.decide"
    case fileImport = "files.import"
    case fileExport = "files.export"
    case functionStore = "function.store"
    case functionDelete = "function.delete"
    case documentExpiryChange = "documents.ttl.change"
    case documentImport = "documents.import"
    case documentExport = "documents.export"
    /// Requests of a key whose role does not allow them, counted by key and hour.
    case roleDenied = "role.denied"

    /// Whether the action removes data, so that it is carried out on a full disk, too.
    package var removesData: Bool { [.appDelete, .personErase, .personAnonymise, .accountDelete].contains(self) }

    /// Whether the action changes nothing.
    package var onlyReads: Bool { [.eventsExport, .personExport, .accountExport, .documentExport, .fileExport].contains(self) }
}

/// The end of an audited action. The raw value is its public name.
package enum AuditOutcome: String, CaseIterable, Sendable {
    /// The action runs, or the daemon ended before it did.
    case unfinished
    case done
    /// The request was rejected, for example because its object does not exist.
    case rejected
    /// The daemon failed to carry it out.
    case failed

    package init(status: Int) {
        self = status < 400 ? .done : status < 500 ? .rejected : .failed
    }
}
