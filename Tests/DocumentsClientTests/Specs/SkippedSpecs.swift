// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import SignalboxDocuments

/// The cases of the specification of Firestore's engine that do not apply here, with the reasons.
enum SkippedSpecs {
    /// Returns the reason to leave a case out.
    static func reason(to spec: SpecCase) -> String? {
        let steps = spec.json["steps"]?.elements ?? []
        let names = Set(steps.flatMap { $0.members ?? [] }.map(\.name))
        if spec.json["config"]?["numClients"] != .integer(1) || spec.json["tags"]?.elements?.contains(.text("multi-client")) == true {
            return "several tabs of a browser share a store; here a file belongs to one process"
        }
        if let step = names.sorted().first(where: { foreignSteps[$0] != nil }) { return foreignSteps[step] }
        if steps.contains(where: usesLimbo) { return "limbo: the daemon's stream tells exactly which documents left a result, so none is in doubt" }
        for options in steps.compactMap({ $0["userListen"]?["options"] }) {
            if options["source"] != nil { return "listeners of the cache alone: ours show the cache first, and reads choose a source" }
            if options["waitForSyncWhenOnline"] == .bool(true) { return "listeners have no option to wait for the server" }
        }
        return nil
    }

    /// Returns why the engine does something else in a case that it could do, by a decision.
    static func difference(from spec: SpecCase) -> String? {
        let name = spec.name.trimmingCharacters(in: .whitespaces)
        return differences.first { $0.cases.contains(name) }?.reason
    }

    // MARK: Google's conformance tests

    static func reason(toCall call: JSONNode) -> String? {
        if call["option"]?["fields"] != nil { return "a merge writes the fields that it is given; it takes no list of fields" }
        if call["precondition"] != nil { return "updates and deletions of an app have no preconditions of their own; transactions have" }
        return nil
    }

    static func reason(toClause clause: JSONNode) -> String? {
        if clause["select"] != nil { return "apps get whole documents" }
        if clause["offset"] != nil { return "pages of an app begin behind a document" }
        return nil
    }

    static func reason(toFile name: String) -> String? { files[name] }

    private static let files: [String: String] = [
        "update-no-paths.json": "an update of nothing checks that the document exists",
        "update-paths-no-paths.json": "an update of nothing checks that the document exists",
        "update-paths-fp-dup.json": "a dictionary has a key once",
        "update-paths-fp-dup-transforms.json": "a dictionary has a key once",
        "query-bad-null.json": "comparisons with null have the result that the server gives",
        "query-bad-NaN.json": "comparisons with NaN have the result that the server gives",
        "query-invalid-operator.json": "an operator is the name of a parameter",
        "listen-nomod.json": "a version of a document has one state",
        "listen-target-add-wrong-id.json": "the stream has no event of an added target",
    ]

    // MARK: The engine

    private static let differences: [(reason: String, cases: Set<String>)] = [
        (
            "documents stay in the cache, bounded by its size, when nobody listens",
            [
                "Contents of query are cleared when listen is removed.", "Documents outside of view are cleared when listen is removed.",
                "Writes are released when there are no queries left",
            ]
        ),
        (
            "a target that is listened to again begins anew in one event, so nothing of before can be taken for it",
            ["Waits for watch to remove targets", "Waits for watch to ack last target add"]
        ),
        (
            "the stream has one position for all targets, which does not go back",
            ["Will gracefully handle watch stream reverting snapshots", "Will gracefully handle watch stream reverting snapshots (with restart)"]
        ),
        ("a result comes in one event with its state", ["Does not synthesize deletes for previously acked documents"]),
        (
            "a cached result changes with what its own query is told",
            ["Individual (deleted) documents cannot revert", "Synthesizes deletes for missing document"]
        ),
        (
            "a lost connection is shown at once, until there is another",
            ["A successful message delays offline status", "Removing all listeners delays \"Offline\" status on next listen"]
        ),
        (
            "the daemon answers a queued write with `aborted` only if it has decided about the batch before",
            ["Writes that fail with code aborted are retried"]
        ),
    ]

    static let noFilters = "existence filters: a resumed stream tells the exact net change, so there is nothing to compare counts with"

    private static let foreignSteps = [
        "watchFilter": noFilters,
        "failDatabase": "failures of IndexedDB in a browser; those of SQLite have tests of their own",
        "loadBundle": "bundles are left out",
        "changeUser": "listeners end with a change of the user, and users have stores of their own",
        "addSnapshotsInSyncListener": "there is no event of all listeners being in step",
        "setIndexConfiguration": "indexes are made by need, without a configuration",
        "triggerLruGC": "documents are removed by the size of the cache, not by a call",
    ]

    private static func usesLimbo(_ step: JSONNode) -> Bool {
        ["activeLimboDocs", "enqueuedLimboDocs"].contains { !(step["expectedState"]?[$0]?.elements ?? []).isEmpty }
    }
}
