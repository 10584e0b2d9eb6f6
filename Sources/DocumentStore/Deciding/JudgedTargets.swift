// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
package import SignalboxDocumentModel

/// A target of a user's stream, about which rules decide.
package enum JudgedTarget: Sendable {
    /// Proved by its conditions, once for all that it finds.
    indirect case query(DocumentQuery)
    /// Decided on each version of the document.
    case document(DocumentPath)
}

/// The decisions of rules about targets, from one version of the database.
package struct JudgedTargets: Sendable {
    /// The documents that the permission of each allowed target rests on, by the target's number.
    package let documents: [Int: Set<DocumentPath>]
    package let stamp: Int64
}

extension DocumentStore {
    /// Decides about targets by the newest rules and documents.
    ///
    /// - Parameter versions: Versions of documents that are about to be sent, nil for a removed one. Others are decided on as they are now.
    package func judge(
        _ targets: [Int: JudgedTarget], versions: [Int: DocumentFields?] = [:], app: AppID, as principal: RulePrincipal
    ) async throws -> JudgedTargets {
        let now = clock.now()
        return try await read(app, at: nil, as: nil, .decision, for: principal.caller(in: app)) { [ruleCache] view, _ in
            var documents: [Int: Set<DocumentPath>] = [:]
            for (number, target) in targets {
                let decisions = try ruleCache.decisions(of: app, in: view.file, as: principal, at: now, view.document)
                do {
                    switch target {
                    case .query(let query): try decisions.check(query, at: view.time)
                    case .document(let path):
                        try decisions.checkGet(path, at: view.time) { try versions[number] ?? decisions.document(path)?.fields }
                    }
                    documents[number] = decisions.documents
                } catch is DeniedByRules {}
            }
            return JudgedTargets(documents: documents, stamp: view.stamp.microseconds)
        }
    }
}
