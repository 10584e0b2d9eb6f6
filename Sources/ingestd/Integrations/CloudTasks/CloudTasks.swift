// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Crypto
import Events
import FunctionStore
import Functions
import HTTPServer
import JSON
import Platform

/// The queues of Cloud Tasks, as Firebase's server SDKs use them: `functions.task_queue("receipt").enqueue(…)`. A queue is a function.
///
/// The emulator's address (`CLOUD_TASKS_EMULATOR_HOST`) has no version in its path, and its tasks are one level deeper:
///
///     POST /projects/shop/locations/us-central1/queues/receipt/tasks {"task": {"httpRequest": {"body": "eyJhIjoxfQ=="}}}
///     {"task": {"name": "/projects/shop/locations/us-central1/queues/receipt/tasks/run_1"}}
struct CloudTasks: Sendable {
    static let integration = Integration(
        "Cloud Tasks", refusal: GoogleError.response, routes: routes("", isEmulator: true) + routes("/v2", isEmulator: false))

    private static let key = IntegrationKey(roles: [.send], place: .authorization, emulation: .documents)
    /// Base64 of the data of a run, and room for the other fields.
    private static let bodyBytes = FunctionBounds.bodyBytes * 4 / 3 + (16 << 10)
    private static let limits = JSONLimits(bytes: bodyBytes, depth: 16)

    let store: Stores
    let parser: JSONParser

    private static func routes(_ version: String, isEmulator: Bool) -> [Route] {
        let queue = "\(version)/projects/{app}/locations/{location}/queues/{name}/tasks"
        return [
            Route(
                .post, queue, .integration(key), .task { try await $0.integrations.cloudTasks.add($1, isEmulator: isEmulator) }, largest: bodyBytes,
                most: bodyBytes, admission: Route.admission(\.functionTasks, FunctionTasks.requireCapacity)),
            Route(.delete, "\(queue)/{id}", .integration(key), .task(\.integrations.cloudTasks, CloudTasks.delete)),
        ]
    }

    private func add(_ call: Call, isEmulator: Bool) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let function = try call.function(of: app, in: store)
        var (run, id) = try task(call)
        run.depth = try call.depth()
        let added = try await store.functions.addTask(run, id: id, to: function)
        guard added.isNew else {
            throw Refusal(.conflict, "The queue has or had a task with this ID.", hint: "An ID is taken for 24 hours.")
        }
        let name = "projects/\(call.parameter("app"))/locations/\(call.parameter("location"))/queues/\(function.name)/tasks/\(added.id)"
        return .response(
            .json { json in
                json.beginObject()
                if isEmulator {
                    json.key("task")
                    json.beginObject()
                }
                json.field("name", isEmulator ? "/\(name)" : name)
                if isEmulator { json.endObject() }
                json.endObject()
            })
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        guard try await store.functions.deleteTask(call.parameter("id"), of: try call.function(of: app, in: store)) else {
            throw Refusal(.notFound, "There is no such task that has not begun.")
        }
        return .response(.json(Array("{}".utf8)))
    }

    private func task(_ call: Call) throws -> (NewRun, id: String?) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { reader throws(JSONError) in try reader.parse(call.request.body, limits: CloudTasks.limits) }
        } catch {
            throw Refusal(.invalidJSON, "The body \(error.explanation).")
        }
        let task = try Body(tape, at: 0).object("task")
        guard let body = Base64.decode(try task.object("httpRequest").optionalText("body") ?? ""), body.count <= FunctionBounds.bodyBytes else {
            throw Refusal.field("task.httpRequest.body", "bad_body", "must be the Base64 of JSON of up to \(FunctionBounds.bodyBytes >> 10) KiB")
        }
        var run = NewRun(type: "task", body: try CloudTasks.data(body, parser))
        // The SDK sends null for what it does not set.
        if !task.isNull("scheduleTime"), let text = try task.optionalText("scheduleTime") {
            guard let time = Timestamp(parameter: text, now: store.functions.now), time - store.functions.now <= FunctionBounds.longestDelay else {
                throw Refusal.field("task.scheduleTime", "bad_time", "must be a time within 30 days")
            }
            run.at = time
        }
        let id = try task.isNull("name") ? nil : task.optionalText("name").flatMap { $0.split(separator: "/").last.map(String.init) }
        if let id { try TaskID.require(id, field: "task.name") }
        return (run, id)
    }

    /// Returns the data of a task. Some SDKs put it into a member `data`, which the function's request has anyway.
    private static func data(_ body: [UInt8], _ parser: JSONParser) throws(Refusal) -> [UInt8] {
        if body.isEmpty { return Array("null".utf8) }
        do {
            let value = try JSONValue(body)
            let fields = value.fields
            guard fields.count == 1, fields[0].name.hasSameBytes(as: "data") else { return body }
            return Array(fields[0].value.json)
        } catch {
            throw .field("task.httpRequest.body", "bad_body", "must be the Base64 of JSON")
        }
    }
}
