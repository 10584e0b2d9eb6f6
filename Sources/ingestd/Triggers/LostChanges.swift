// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import FunctionStore
import Functions
import Platform

/// Changes that a source had removed by age or size before triggers read them, such as after a long stop of the daemon.
///
///     documents, log from 9:00, cursor at 8:00   →   a warning in the log of each function that reads documents
///
/// Whether changes of the app itself were among those removed is unknown.
struct LostChanges {
    let kind: FunctionTrigger.Kind
    let app: String
    let line: String
    private let functions: [StoredFunction]

    init(of source: TriggerSource, in app: App, through time: Timestamp) {
        (kind, self.app) = (source.kind, app.name)
        // A function sees only what changes after it was created.
        functions = source.functions.filter { $0.created < time }
        line = "no runs for changes up to \(time.rfc3339), if there were any: \(source.kind.lossReason)"
    }

    var warnings: [FunctionWarning] { functions.map { FunctionWarning(function: $0.id, line: line) } }
}

extension FunctionTrigger.Kind {
    /// Why changes were removed before they were read.
    fileprivate var lossReason: String {
        switch self {
        case .document: "the log of documents no longer had them (documents.log_hours, documents.log_size)"
        case .file: "the log of files no longer had them (files.change_hours)"
        case .user: "the account events no longer had them (accounts.audit_days)"
        case .event, .issue, .schedule: "the source no longer had them"
        }
    }
}
