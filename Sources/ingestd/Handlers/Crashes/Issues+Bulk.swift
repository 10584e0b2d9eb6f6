// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import CrashStore
import Crashes
import HTTPServer
import Platform

/// Changes of several issues, and the log lines of all changes. They name the request and the key that made the change.
extension Issues {
    /// The number of issues that one request changes or deletes.
    private static let mostAtOnce = 100

    /// Changes the issues that exist, all in one transaction.
    func changeMany(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try Body(call.json())
        let update = try IssueUpdate(body, besides: ["ids"], now: clock.now())
        let ids = try body.texts("ids", most: Issues.mostAtOnce, mayBeEmpty: true)
        guard !ids.isEmpty else { throw Refusal.field("ids", "missing", "must name at least one issue") }
        call.audit?.note(ids.joined(separator: " "))
        let changed = try await store.crashes.update(ids, app: app.id, to: update)
        for (name, issue) in zip(ids, changed) { if let issue { logChange(of: issue, named: name, update, by: call) } }
        return try .json(IssueResultsResponse(zip(ids, changed).map { .init(id: $0, result: $1 != nil ? .changed : .notFound) }))
    }

    /// Deletes issues one after the other. A repeated request deletes the rest after an interruption.
    func removeMany(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "id")
        let app = try call.app(in: store)
        let ids = try query.all("id", atMost: Issues.mostAtOnce)
        guard !ids.isEmpty else { throw Refusal.field("id", "missing", "must name at least one issue") }
        call.audit?.note(ids.joined(separator: " "))
        var results: [IssueResultsResponse.Result] = []
        for id in ids {
            do {
                try await store.crashes.removeIssue(id, app: app.id)
                logDeletion(of: id, by: call)
                results.append(.init(id: id, result: .deleted))
            } catch let refusal as Refusal where refusal.code == .notFound {
                results.append(.init(id: id, result: .notFound))
            } catch let refusal as Refusal where refusal.code == .conflict {
                results.append(.init(id: id, result: .merged))
            }
        }
        return try .json(IssueResultsResponse(results))
    }
}

// MARK: - Log

extension Issues {
    /// - Parameter name: The ID in the request, which may be a former one of the issue.
    func logChange(of issue: String, named name: String, _ update: IssueUpdate, by call: Call) {
        let assignee = update.assignee.map { $0 ?? "nobody" } ?? "unchanged"
        log.info(
            "issue changed",
            [
                "id": .text("\(call.head.id)"), "by": .text(call.caller.name), "issue": .text(issue), "named": .text(name),
                "state": .text(update.state?.name ?? "unchanged"),
                "assignee": .text(assignee),
            ])
    }

    func logDeletion(of issue: String, by call: Call) {
        log.info("issue deleted", ["id": .text("\(call.head.id)"), "by": .text(call.caller.name), "issue": .text(issue)])
    }

    func logMerge(of issue: String, named name: String, into target: String, by call: Call) {
        log.info(
            "issue merged",
            [
                "id": .text("\(call.head.id)"), "by": .text(call.caller.name), "issue": .text(issue), "named": .text(name),
                "into": .text(target),
            ])
    }

    func logSplit(of issue: String, made: String, by call: Call) {
        log.info("issue split", ["id": .text("\(call.head.id)"), "by": .text(call.caller.name), "issue": .text(issue), "made": .text(made)])
    }
}

extension Caller {
    /// The name for log lines, such as `key 7 of app 1`.
    var name: String {
        switch self {
        case .anyone: "anyone"
        case .key(let key, let app): "key \(key.id) of app \(app.id.rawValue)"
        case .user(let user): "a user of app \(user.app.id.rawValue)"
        case .operator: "operator"
        }
    }
}

extension IssueChange {
    fileprivate var name: String {
        switch self {
        case .open: IssueState.open.name
        case .close: IssueState.closed.name
        case .mute: IssueState.muted.name
        }
    }
}
