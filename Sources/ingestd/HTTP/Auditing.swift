// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import AuditStore
import Database
import EventStore
import HTTPServer
import Platform
import Synchronization

/// Runs handlers of audited routes: their entry is durable before they begin, and its outcome before the response.
///
///     DELETE /v1/users/ana    entry 31: person.erase, key 4, unfinished
///                             the erasure
///                             entry 31: done, 200
///                             the response
struct Auditing: Sendable {
    let store: Stores
    let log: Log

    /// Throws without running the handler if the entry cannot be written, unless the action only reads: a full disk must not keep the owner
    /// from the data. The log has the action then.
    func run(
        _ action: AuditAction, _ call: Call, _ handle: (Call) async throws -> HandlerResponse
    ) async throws -> HandlerResponse {
        var call = call
        let note = AuditNote()
        call.audit = note
        guard let id = try await begin(entry(action, call)) else { return try await handle(call) }
        do {
            let response = try await handle(call)
            await end(id, note, status: response.status)
            return response
        } catch {
            await end(id, note, status: ((error as? Refusal) ?? Refusal(hiding: error)).code.status)
            throw error
        }
    }

    /// Returns the ID of the entry, or nil if it could not be written and its action only reads.
    private func begin(_ entry: AuditEntry) async throws -> Int64? {
        do { return try await SpareSpace.forRemoval(if: entry.action.removesData) { try await store.audit.begin(entry) } } catch {
            guard entry.action.onlyReads else { throw error }
            log.error(
                "could not write an audit entry",
                [
                    "action": .text(entry.action.rawValue), "key": .count(entry.caller.key), "address": .text(entry.caller.address),
                    "reason": .text("\(error)"),
                ])
            return nil
        }
    }

    private func entry(_ action: AuditAction, _ call: Call) -> AuditEntry {
        let app = call.caller.app ?? appName(call).flatMap { store.events.directory.now.app(named: $0)?.id }
        let caller = call.caller.audited(from: call.head.client)
        guard call.namesPerson else { return AuditEntry(action, app: app, by: caller, detail: call.auditedObject) }
        let named = call.parameters["uid"].map { PersonID(.user, $0) }
        let person = (named ?? (try? call.person())).flatMap { id in app.map { id.key(in: $0, store.events.hash) } }
        return AuditEntry(action, app: app, by: caller, person: person ?? 0)
    }

    private func appName(_ call: Call) -> String? {
        call.parameters["app"] ?? (try? call.query().one("app")) ?? nil
    }

    /// The action has happened, so a failure is logged and does not change the response. The entry then stays unfinished.
    private func end(_ id: Int64, _ note: AuditNote, status: Int) async {
        do {
            try await store.audit.end(id, note.ending(status: status))
        } catch {
            log.error("could not write the outcome of an audit entry", ["entry": .count(id), "reason": .text("\(error)")])
        }
    }
}

/// Facts about an audited action that only its handler knows.
final class AuditNote: Sendable {
    private let facts = Mutex<(app: AppID?, detail: String?)>((nil, nil))

    /// Names the object of the action. It must not contain the ID of a person.
    func note(_ detail: String, app: AppID? = nil) {
        facts.withLock { $0 = (app ?? $0.app, detail) }
    }

    func ending(status: Int) -> AuditEnding {
        facts.withLock { AuditEnding(status: status, app: $0.app, detail: $0.detail) }
    }
}

extension Call {
    /// Whether the path names a person, whose ID must not be in the log.
    fileprivate var namesPerson: Bool { head.path.hasPrefix("/v1/users/") || parameters["uid"] != nil }

    /// The objects in the path, such as `iss_7Qk2`.
    fileprivate var auditedObject: String {
        parameters.filter { !["app", "org"].contains($0.key) }.sorted { $0.key < $1.key }
            .map { $0.key == "key" ? "key \($0.value)" : $0.value }.joined(separator: " ")
    }
}

extension Caller {
    func audited(from client: ClientAddress) -> AuditCaller {
        switch self {
        case .key(let key, _): AuditCaller(key: key.id, role: key.role, address: client.description)
        case .user(let user): AuditCaller(key: user.key.id, role: .ingest, address: client.description)
        case .operator, .anyone: .operator
        }
    }
}

extension HandlerResponse {
    fileprivate var status: Int {
        switch self {
        case .response(let response): response.status
        case .stream(let status, _, _), .events(let status, _, _): status
        }
    }
}
