// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crypto
import Functions
import JSON
import Messaging
import Platform

/// The request of one attempt of a run, in the form that the function's address expects.
///
///     signalbox   {"type": "event", "id": "run_1", "data": {…}, "context": {"app": "shop", "function": "receipt", "attempt": 1, "depth": 1}}
///     firebase    a CloudEvent in its binary form, that of a schedule also with the headers of Cloud Scheduler, or a task with those of Cloud Tasks
struct RunRequest {
    private let run: StoredRun
    private let attempt: Int
    private let token: String?
    private let function: StoredFunction
    private let app: App?
    private let format: FunctionDefinition.AddressFormat

    init(
        _ run: StoredRun, attempt: Int, token: String?, of function: StoredFunction, in app: App?, _ format: FunctionDefinition.AddressFormat
    ) {
        (self.run, self.attempt, self.token) = (run, attempt, token)
        (self.function, self.app, self.format) = (function, app, format)
    }

    private var appName: String { app?.name ?? "\(function.app.rawValue)" }

    var delivery: DeliveryRequest {
        let context = [("Signalbox-Depth", String(run.depth))] + (token.map { [("Signalbox-Token", $0)] } ?? [])
        return DeliveryRequest(body: body, fields: fields + context)
    }

    private var body: [UInt8] {
        switch format {
        case .signalbox: envelope
        case .firebase: run.type == "task" ? Array("{\"data\":".utf8) + run.body + Array("}".utf8) : run.body
        }
    }

    private var envelope: [UInt8] {
        var json = JSONWriter(reserving: 256 + run.body.count)
        json.beginObject()
        json.field("type", run.type)
        json.field("id", run.id)
        json.key("data")
        json.raw(run.body[...])
        json.key("context")
        json.beginObject()
        json.field("app", appName)
        json.field("function", function.name)
        json.field("attempt", attempt)
        json.field("depth", run.depth)
        if let user = run.user {
            json.key("auth")
            json.beginObject()
            json.field("uid", user)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private var fields: [(name: String, value: String)] {
        switch format {
        case .signalbox: []
        case .firebase:
            switch run.type {
            case "task": taskFields
            case "schedule": schedulerFields + eventFields
            default: eventFields
            }
        }
    }

    /// The headers of Cloud Tasks, which firebase-functions reads.
    private var taskFields: [(name: String, value: String)] {
        [
            ("X-CloudTasks-QueueName", function.name), ("X-CloudTasks-TaskName", run.task ?? run.id),
            ("X-CloudTasks-TaskRetryCount", String(attempt - 1)), ("X-CloudTasks-TaskExecutionCount", String(attempt - 1)),
            ("X-CloudTasks-TaskETA", String(run.at.milliseconds / 1_000)),
        ]
    }

    /// The headers of Cloud Scheduler, from which firebase-functions makes the event of a schedule. Its library for Python reads times of whole
    /// seconds only, and a schedule's time is a whole minute.
    private var schedulerFields: [(name: String, value: String)] {
        let time = "\(run.at.rfc3339.dropLast(".000Z".utf8.count))Z"
        return [("X-CloudScheduler", "true"), ("X-CloudScheduler-JobName", function.name), ("X-CloudScheduler-ScheduleTime", time)]
    }

    private var eventFields: [(name: String, value: String)] {
        let event = CloudEvent(type: run.type, subject: run.subject, app: appName)
        return [
            ("ce-specversion", "1.0"), ("ce-id", run.id), ("ce-type", event.type), ("ce-source", event.source),
            ("ce-time", run.at.rfc3339),
        ] + (event.subject.map { [("ce-subject", $0)] } ?? [])
    }
}

/// The attributes of a CloudEvent with Google's types.
///
///     file.finalized, a/b.png, shop   →   google.cloud.storage.object.v1.finalized
///                                         //storage.googleapis.com/projects/_/buckets/shop, objects/a/b.png
struct CloudEvent: Equatable {
    var type: String
    var source: String
    var subject: String?

    init(type: String, subject: String?, app: String) {
        let source = type.split(separator: ".").first.map(String.init) ?? type
        let subject = subject.map(CloudEvent.field)
        switch type {
        case "file.finalized":
            self.init(
                "google.cloud.storage.object.v1.finalized", "//storage.googleapis.com/projects/_/buckets/\(app)", subject.map { "objects/\($0)" })
        case "file.deleted":
            self.init("google.cloud.storage.object.v1.deleted", "//storage.googleapis.com/projects/_/buckets/\(app)", subject.map { "objects/\($0)" })
        case "document.created", "document.updated", "document.deleted", "document.written":
            self.init(
                "google.cloud.firestore.\(type.replacingPrefix("document.", by: "document.v1."))",
                "//firestore.googleapis.com/projects/\(app)/databases/(default)", subject.map { "documents/\($0)" })
        case "user.created":
            self.init("google.firebase.auth.user.v1.created", "//firebaseauth.googleapis.com/projects/\(app)", subject.map { "users/\($0)" })
        case "user.deleted":
            self.init("google.firebase.auth.user.v1.deleted", "//firebaseauth.googleapis.com/projects/\(app)", subject.map { "users/\($0)" })
        case "schedule": self.init("google.cloud.scheduler.job.v1.executed", "//cloudscheduler.googleapis.com/projects/\(app)", subject)
        default: self.init("signalbox.\(type)", "//signalbox/apps/\(app)/\(source)", subject)
        }
    }

    /// The text of a subject in a header field: printable ASCII as it is, everything else percent-encoded.
    private static func field(_ text: String) -> String {
        text.utf8.map { byte in
            (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%") ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    private init(_ type: String, _ source: String, _ subject: String?) { (self.type, self.source, self.subject) = (type, source, subject) }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String { hasPrefix(prefix) ? other + dropFirst(prefix.count) : self }
}
