// SPDX-License-Identifier: Apache-2.0

import JSON
package import Platform

extension FunctionDefinition {
    /// The author of a definition.
    package enum Author: Sendable {
        /// A key with the role admin, which must not become a shell of this machine.
        case admin
        /// The operator, by the control socket, or an earlier acceptance.
        case `operator`
    }

    private static let parser = JSONParser()
    private static let limits = JSONLimits(bytes: maximumBytes, tokens: 10_000, depth: 6)

    /// Reads a definition strictly. The form of URLs, topics and filters is checked where it is accepted, since other modules define it.
    package init(_ json: [UInt8], by author: Author) throws(Refusal) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try FunctionDefinition.parser.withReader { reader throws(JSONError) in
                try reader.parse(json, limits: FunctionDefinition.limits)
            }
        } catch {
            throw FunctionDefinition.refusal(error)
        }
        try self.init(FunctionFields(tape), by: author)
    }

    private static func refusal(_ error: JSONError) -> Refusal {
        switch error.reason {
        case .tooLarge, .tooManyTokens, .tooManyMembers:
            Refusal(.tooLarge, "The body \(error.explanation).", hint: "A definition has at most \(maximumBytes >> 10) KiB.")
        case .tooDeep: Refusal(.badRequest, "The body \(error.explanation).", hint: "Nest fewer objects and arrays.")
        default: Refusal(.invalidJSON, "The body \(error.explanation).", hint: "Send one JSON object in UTF-8.")
        }
    }

    private init(_ fields: FunctionFields, by author: Author) throws(Refusal) {
        try fields.allow(
            "url", "format", "topic", "worker", "auth", "timeout", "concurrency", "waiting", "retries", "order", "may", "triggers")
        self.init(try Target(fields, by: author))
        auth = try fields.word("auth", Auth.self) ?? auth
        timeoutSeconds = try fields.number("timeout", 1...FunctionDefinition.maximumTimeoutSeconds) ?? timeoutSeconds
        concurrency = try fields.number("concurrency", 1...FunctionDefinition.maximumConcurrency) ?? concurrency
        waiting = try fields.number("waiting", 0...FunctionDefinition.maximumWaiting) ?? waiting
        retries = try fields.number("retries", 0...FunctionDefinition.maximumRetries)
        order = try FunctionDefinition.order(fields)
        grants = try FunctionDefinition.grants(fields, by: author)
        for trigger in try fields.objects("triggers", atMost: FunctionDefinition.maximumTriggers) {
            triggers.append(try FunctionTrigger(trigger))
        }
    }

    private static func order(_ fields: FunctionFields) throws(Refusal) -> OrderKey? {
        guard let text = try fields.text("order") else { return nil }
        guard let key = OrderKey(text) else {
            throw fields.refusal(
                "order", "bad_order", "must have at most \(OrderKey.maximumBytes) bytes and name fields in braces", hint: "Use {params.account}.")
        }
        return key
    }

    private static func grants(_ fields: FunctionFields, by author: Author) throws(Refusal) -> [Grant] {
        let grants = try fields.words("may", Grant.self)
        guard author == .operator || !grants.contains(.accounts) else {
            throw Refusal(
                .forbidden, "Only the operator grants accounts to a function.", hint: "Run ingestd function set on the server.",
                fields: [.init("may", "operator_only", "must not contain accounts")])
        }
        return grants
    }
}

extension FunctionDefinition.Target {
    fileprivate init(_ fields: FunctionFields, by author: FunctionDefinition.Author) throws(Refusal) {
        let named = ["url", "topic", "worker"].filter(fields.has)
        guard named.count <= 1 else {
            throw fields.refusal(named[1], "two_targets", "conflicts with \(named[0])", hint: "A function has one target.")
        }
        guard named.first == "url" || !fields.has("format") else {
            throw fields.refusal("format", "needs_url", "belongs to a function with a url", hint: "Omit it.")
        }
        switch named.first {
        case "url":
            let url = try fields.requiredText("url")
            guard url.utf8.count <= FunctionDefinition.maximumURLBytes else {
                throw fields.refusal("url", "too_long", "may have at most \(FunctionDefinition.maximumURLBytes) bytes")
            }
            self = .address(url: url, try fields.word("format", FunctionDefinition.AddressFormat.self) ?? .signalbox)
        case "topic": self = .topic(try fields.requiredText("topic"))
        case "worker": self = .worker(try WorkerProgram(fields, by: author))
        default: throw fields.refusal("url", "missing", "or topic is required", hint: "Set url to the address that carries out the function.")
        }
    }
}

extension WorkerProgram {
    fileprivate init(_ fields: FunctionFields, by author: FunctionDefinition.Author) throws(Refusal) {
        guard author == .operator else {
            throw Refusal(
                .forbidden, "Only the operator names programs that carry out functions.", hint: "Run ingestd function worker on the server.",
                fields: [.init("worker", "operator_only", "is set by the operator")])
        }
        guard let worker = try fields.object("worker") else { throw fields.refusal("worker", "missing", "is required") }
        try worker.allow("protocol", "command", "folder")
        let command = try worker.texts("command", atMost: WorkerProgram.maximumArguments)
        guard let program = WorkerProgram(try worker.requiredWord("protocol", Transport.self), command, in: try worker.text("folder")) else {
            throw worker.refusal(
                "command", "bad_command",
                "must be the absolute path of a program and its arguments, each of at most "
                    + "\(WorkerProgram.maximumArgumentBytes) bytes; so must the folder be")
        }
        self = program
    }
}

extension FunctionTrigger {
    fileprivate init(_ fields: FunctionFields) throws(Refusal) {
        switch try fields.requiredWord("on", Kind.self) {
        case .event: self = try FunctionTrigger.event(fields)
        case .issue:
            try fields.allow("on", "what")
            self = .issue(try fields.requiredWord("what", IssueMoment.self))
        case .user:
            try fields.allow("on", "what")
            self = .user(try fields.requiredWord("what", UserMoment.self))
        case .document: self = try FunctionTrigger.document(fields)
        case .file:
            try fields.allow("on", "path", "what")
            self = .file(try FunctionTrigger.path(fields, example: "users/{uid}/{rest=**}"), try fields.requiredWord("what", FileMoment.self))
        case .schedule: self = .schedule(try ScheduleTrigger(fields))
        }
    }

    private static func event(_ fields: FunctionFields) throws(Refusal) -> Self {
        try fields.allow("on", "name", "filter")
        let name = try fields.requiredText("name")
        guard (1...maximumNameBytes).contains(name.utf8.count), !name.unicodeScalars.contains(where: \.isControl) else {
            throw fields.refusal("name", "bad_name", "must have 1 to \(maximumNameBytes) bytes and no control characters")
        }
        return .event(name: name, filters: try fields.textOrTexts("filter", atMost: maximumFilters))
    }

    private static func document(_ fields: FunctionFields) throws(Refusal) -> Self {
        try fields.allow("on", "path", "what")
        let path = try path(fields, example: "orders/{id}")
        guard path.segmentCount.map({ $0.isMultiple(of: 2) }) ?? true else {
            throw fields.refusal("path", "not_a_document", "must be the path of documents, not of a collection", hint: "Use orders/{id}.")
        }
        return .document(path, try fields.requiredWord("what", DocumentMoment.self))
    }

    private static func path(_ fields: FunctionFields, example: String) throws(Refusal) -> PathPattern {
        guard let path = PathPattern(try fields.requiredText("path")) else {
            throw fields.refusal(
                "path", "bad_path", "must be segments joined by /, each a text, {name} or, at the end, {name=**}", hint: "Use \(example).")
        }
        return path
    }
}

extension ScheduleTrigger {
    fileprivate init(_ fields: FunctionFields) throws(Refusal) {
        try fields.allow("on", "cron", "tz", "missed", "overlap")
        let name = try fields.text("tz") ?? "UTC"
        guard let zone = ZoneOffsets(name) else {
            throw fields.refusal("tz", "unknown_zone", "is not a time zone of this machine", hint: "Use a name such as Europe/Berlin.")
        }
        guard let schedule = CronSchedule(try fields.requiredText("cron"), zone: zone) else {
            throw fields.refusal(
                "cron", "bad_cron", "must have five fields, for minute, hour, day, month and weekday, that fit some day", hint: "Use 0 9 * * 1-5.")
        }
        self.init(schedule, missed: try fields.word("missed", Missed.self) ?? .once, mayOverlap: try fields.flag("overlap") ?? false)
    }
}
