// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import FileStore
import Files
import FunctionStore
import Functions
import HTTPServer
import JSON
import Platform

/// The files that wait for functions, and the folders where they do, for administrators.
struct FilesPending: Sendable {
    private static let pattern = "/v1/files:pending"

    let store: Stores

    static let routes = [
        Route(.get, pattern, .role(.admin), .task(\.filesPending, FilesPending.list)),
        Route(.put, pattern, .role(.admin), .task(\.filesPending, FilesPending.setRules), audit: .filePendingChange, most: 64 << 10),
        Route(.post, pattern, .role(.admin), .task(\.filesPending, FilesPending.decide), audit: .filePendingDecide, most: 4 << 10),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store).id
        let limit = try query.number("limit", 1...1_000, default: 100)
        let files = try await store.files.pendingFiles(of: app, after: query.one("after") ?? "", limit: limit + 1)
        let items = try await store.waiting(Array(files.prefix(limit)), app).map {
            FilePendingResponse.Item(file: FileResponse($0.pending.file), state: $0.state, run: $0.run?.id)
        }
        let rules = try await store.files.pendingRules(of: app).map(FileWaitRule.init)
        return try .json(FilePendingResponse(rules: rules, items: items, next: files.count > limit ? items.last?.file.path : nil))
    }

    func setRules(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let body = try Body(call.json())
        try body.allow("rules")
        guard body.names.contains("rules") else { throw Refusal.field("rules", "missing", "is required; an empty list lets no file wait") }
        let rules = try PendingRule.rules(body)
        try await store.files.setPendingRules(rules, app: app)
        return try .json(FileWaitRules(rules: rules.map(FileWaitRule.init)))
    }

    /// Publishes or deletes a file in place of its function.
    func decide(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let body = try Body(call.json())
        try body.allow("path", "generation", "allow")
        guard let path = FilePath(try body.text("path")) else { throw Refusal.field("path", "bad_path", "must be the path of a file") }
        guard let generation = try body.number("generation", 1...Int.max) else { throw Refusal.field("generation", "missing", "is required") }
        guard let allow = try body.flag("allow") else { throw Refusal.field("allow", "missing", "is required") }
        call.audit?.note("\(allow ? "allowed" : "deleted") generation \(generation)")
        return try await Refusal.ofFiles {
            let file = try await store.files.decide(path, generation: Int64(generation), allow: allow, app: app)
            return file.map { .file($0) } ?? .noContent
        }
    }
}

extension PendingRule {
    /// Reads the rules in `rules`.
    static func rules(_ body: Body) throws(Refusal) -> [PendingRule] {
        let rules = try body.objects("rules").map { item throws(Refusal) in
            try item.allow("prefix", "pending_until")
            let function = try FunctionName(try item.text("pending_until"), field: "pending_until").text
            guard let rule = PendingRule(prefix: try item.text("prefix"), function: function) else {
                throw Refusal.field("prefix", "bad_path", "must be a folder such as uploads/, or empty for all files")
            }
            return rule
        }
        guard rules.count <= PendingRule.most, Set(rules.map { Array($0.prefix.utf8) }).count == rules.count else {
            throw .field("rules", "bad_value", "must be at most \(PendingRule.most) rules with different prefixes")
        }
        return rules
    }
}

extension FileWaitRule {
    init(_ rule: PendingRule) { self.init(prefix: rule.prefix, pendingUntil: rule.function) }
}
