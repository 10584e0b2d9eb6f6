// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd documents indexes`, `ttl`, `persons` and `statistics`: the settings of an app's documents, and their sizes and costs.
enum DocumentSettingCommands {
    static let all = [indexes, expiry, persons, statistics]

    private static let common = [Option.app.required, .data, .config, .json]
    private static let fileBytes = 1 << 20

    private static let indexes = Command(
        "documents indexes", "Lists the indexes of an app's documents, or replaces them by those of a file.", operands: ["[FILE]"],
        options: common,
        details: """
            FILE is the firestore.indexes.json that Firebase deploys. Documents get their entries in the background. Indexes that queries taught \
            stay, unless the file exempts their fields.
            """
    ) { arguments in
        let reply = try await showOrSet("indexes", arguments)
        if arguments.has(.json) { return try Console.print(reply) }
        let rows = (reply["indexes"]?.elements ?? []).map { index in
            [
                index.text("collectionGroup"), index.text("queryScope"), fields(of: index), index.text("origin"), progress(of: index, named: "ready"),
                index.text("reason"),
            ]
        }
        if rows.isEmpty {
            try Console.print("No indexes.")
        } else {
            try Console.print(TextTable.lines(["COLLECTION", "SCOPE", "FIELDS", "ORIGIN", "STATE", "REASON"], rows))
        }
        let exempt = (reply["exemptions"]?.elements ?? []).map { [$0.text("collectionGroup"), $0.text("fieldPath")] }
        if !exempt.isEmpty { try Console.print(TextTable.lines(["COLLECTION", "EXEMPT FIELD"], exempt)) }
        for one in reply["leftOut"]?.elements ?? [] {
            try Console.print("warning: \(one.text("place")) was left out: \(one.text("property")) is not supported")
        }
    }

    private static let expiry = Command(
        "documents ttl", "Lists the fields by which an app's documents expire, or replaces them by those of a file.", operands: ["[FILE]"],
        options: common,
        details: """
            FILE is JSON such as {"fields": [{"collection": "sessions", "field": "expires"}]}. Documents expire once the index of the field is \
            built.
            """
    ) { arguments in
        let reply = try await showOrSet("ttl", arguments)
        if arguments.has(.json) { return try Console.print(reply) }
        let rows = (reply["fields"]?.elements ?? []).map { [$0.text("collection"), $0.text("field"), progress(of: $0, named: "active")] }
        try Console.print(rows.isEmpty ? "No documents expire." : TextTable.lines(["COLLECTION", "FIELD", "STATE"], rows))
    }

    private static let persons = Command(
        "documents persons", "Lists the patterns of documents that belong to persons, or replaces them by those of a file.", operands: ["[FILE]"],
        options: common,
        details: """
            FILE is JSON such as {"patterns": [{"path": "users/{uid}/**"}]}. `erase`, `anonymise` and `user-data` take these documents.
            """
    ) { arguments in
        let reply = try await showOrSet("persons", arguments)
        if arguments.has(.json) { return try Console.print(reply) }
        let rows = (reply["patterns"]?.elements ?? []).map { pattern in
            let collection = pattern.text("collection") + (pattern.text("group") == "true" ? " (group)" : "")
            return [pattern.text("path") + collection, pattern.text("field"), pattern.text("private")]
        }
        try Console.print(
            rows.isEmpty ? "No patterns: erasures leave all documents." : TextTable.lines(["DOCUMENTS", "FIELD", "PRIVATE FIELDS"], rows))
    }

    /// Shows a setting, or makes a file the setting.
    private static func showOrSet(_ name: String, _ arguments: Arguments) async throws -> ControlReply {
        let target = "/v1/documents:\(name)?app=\(arguments.required(.app).percentEncoded)"
        let body = try arguments.operands.first.map(contents)
        if let file = arguments.operands.first, let body, body.count <= fileBytes {
            _ = try JSONValue(body, named: file, hint: "Name a file with one JSON object.")
        }
        return try await DataFolder(arguments).perform { socket in
            guard let body else { return try await socket.get(target) }
            return try await socket.send("PUT", target, body, type: "application/json", timeout: .seconds(60))
        }
    }

    private static func contents(_ name: String) throws(Failure) -> [UInt8] {
        // The daemon refuses a larger body.
        do throws(SystemError) { return try SmallFile.read(name, limit: fileBytes + 1) } catch {
            throw Failure("\(name): \(error.reason)", hint: "Name a file that this user may read.")
        }
    }

    /// The fields of an index: `user, at desc, tags contains`.
    private static func fields(of index: ControlReply) -> String {
        (index["fields"]?.elements ?? []).map { field in
            let kind = field["arrayConfig"] != nil ? " contains" : field.text("order") == "DESCENDING" ? " desc" : ""
            return field.text("fieldPath") + kind
        }.joined(separator: ", ")
    }

    /// The state of an index, with its progress while it is built.
    private static func progress(of index: ControlReply, named done: String) -> String {
        let state = index.text("state")
        guard state != done, let part = Double(index.text("progress")) else { return state }
        return "\(state) \(Int(part * 100)) %"
    }

    // MARK: Statistics

    private static let statistics = Command(
        "documents statistics", "Shows the size of an app's documents and of their collections and indexes, and the queries that cost most.",
        options: common, details: "Queries are counted since the daemon started. It has no values and no IDs of documents."
    ) { arguments in
        let found = try await DataFolder(arguments).perform {
            try await $0.get("/v1/documents:statistics?app=\(arguments.required(.app).percentEncoded)")
        }
        if arguments.has(.json) { return try Console.print(found) }
        try Console.print(
            TextTable.lines([
                ["documents", found.text("documents")], ["bytes", found.text("bytes")], ["bytes of indexes", found.text("index_bytes")],
                ["patterns of persons", found.text("person_patterns")],
            ]))
        try table("collections", ["collection", "collections", "documents", "bytes"], found)
        try table("indexes", ["collection", "fields", "origin", "entries", "bytes", "last_used_at"], found)
        try table("queries", ["shape", "queries", "examined", "results", "slowest_milliseconds", "uses_index"], found)
    }

    /// Prints a list of the statistics, if it is not empty; the columns are its members.
    private static func table(_ list: String, _ columns: [String], _ found: ControlReply) throws {
        let rows = (found[list]?.elements ?? []).map { one in columns.map { one.text($0) } }
        if rows.isEmpty { return }
        let headings = columns.map { $0.split(separator: "_").joined(separator: " ").uppercased() }
        try Console.print("\n" + TextTable.lines(headings, rows))
    }
}
