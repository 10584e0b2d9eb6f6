// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Functions
import HTTPServer
import JSON
import Platform

/// Tasks: runs that servers add, at once or for later.
struct FunctionTasks: Sendable {
    /// The data of a run, and room for the other fields.
    private static let bodyBytes = FunctionBounds.bodyBytes + (16 << 10)
    private static let limits = JSONLimits(bytes: bodyBytes, depth: 64)

    let store: Stores
    let parser: JSONParser
    let disk: DiskGuard
    let quotas: AppQuotas

    static let routes = [
        Route(
            .post, "/v1/functions/{name}/tasks", .role(.send), .task(\.functionTasks, FunctionTasks.add), largest: bodyBytes, most: bodyBytes,
            admission: Route.admission(\.functionTasks, FunctionTasks.requireCapacity)),
        Route(.delete, "/v1/functions/{name}/tasks/{id}", .role(.send), .task(\.functionTasks, FunctionTasks.delete)),
    ]

    /// Rejects a task that could not be stored now.
    func requireCapacity(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try quotas.requireRoom(for: app)
        try store.functions.checkCapacity(for: app)
    }

    func add(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let function = try call.function(of: app, in: store)
        let (run, id) = try task(call.json())
        let depth = try call.depth()
        var new = run
        new.depth = depth
        let added = try await store.functions.addTask(new, id: id, to: function)
        return .response(
            .json(status: added.isNew ? 201 : 200) { json in
                json.beginObject()
                json.field("id", added.id)
                json.endObject()
            })
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard try await store.functions.deleteTask(call.parameter("id"), of: try call.function(of: app, in: store)) else {
            throw Refusal(.notFound, "There is no such task that has not begun.", hint: "GET /v1/functions/{name}/runs lists the runs.")
        }
        return .noContent
    }

    private func task(_ bytes: [UInt8]) throws -> (NewRun, id: String?) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { reader throws(JSONError) in try reader.parse(bytes, limits: FunctionTasks.limits) }
        } catch {
            throw Refusal(.invalidJSON, "The body \(error.explanation).", hint: "Send an object with data.")
        }
        let body = try Body(tape, at: 0)
        try body.allow("data", "id", "at", "key")
        var run = NewRun(type: "task", body: body.raw("data") ?? Array("null".utf8))
        guard run.body.count <= FunctionBounds.bodyBytes else {
            throw Refusal(
                .tooLarge, "The data of a task has more than \(FunctionBounds.bodyBytes >> 10) KiB.", hint: "Store it as a file or document.")
        }
        run.at = try body.time(now: store.functions.now)
        run.key = try body.optionalText("key")
        if let key = run.key, !(1...256).contains(key.utf8.count) { throw Refusal.field("key", "bad_key", "must have 1 to 256 bytes") }
        let id = try body.optionalText("id")
        if let id { try TaskID.require(id) }
        return (run, id)
    }
}

/// The IDs that clients give tasks.
enum TaskID {
    static let maximumBytes = 500

    static func require(_ text: String, field: String = "id") throws(Refusal) {
        guard (1...maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(isCharacter) else {
            throw .field(field, "bad_id", "must have 1 to \(maximumBytes) letters, digits, hyphens or underscores")
        }
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension Body {
    /// The JSON of a value as it is written in the body.
    fileprivate func raw(_ name: String) -> [UInt8]? { values.first { $0.name == name }.map { Array(tape.bytes[tape.slice($0.index)]) } }

    fileprivate func time(now: Timestamp) throws(Refusal) -> Timestamp? {
        guard let time = try moment("at", now: now) else { return nil }
        guard time - now <= FunctionBounds.longestDelay else { throw .field("at", "out_of_range", "must be within 30 days") }
        return time
    }
}

extension Call {
    /// The number of runs that lead to one that this request makes. The key of a run has it; a function with another key passes that of its
    /// own run on in `Signalbox-Depth`.
    func depth() throws(Refusal) -> Int {
        let stated = head.header(CallDraft.depthField).map { Int($0) ?? -1 } ?? 0
        guard stated >= 0 else { throw .field(CallDraft.depthField, "wrong_type", "must be a number") }
        let depth = max(stated, caller.depth)
        guard depth < FunctionBounds.depth else {
            throw Refusal(
                .limitReached, "The run was caused by \(FunctionBounds.depth) runs, one by the other.", hint: "End the loop of functions.")
        }
        return depth + 1
    }
}
