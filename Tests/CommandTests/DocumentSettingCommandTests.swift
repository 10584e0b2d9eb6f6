// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd documents indexes`, `ttl`, `persons` and `statistics`, beside a running daemon and without one.
struct DocumentSettingCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func documents(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["documents"] + arguments + ["--app", "shop", "--data", data], in: folder)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
    }

    /// The lines of an output, with one blank between words.
    private func lines(_ ended: Program.Ended) -> [String] {
        ended.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test(arguments: [true, false]) func `settings are shown, and set from files`(beside: Bool) async throws {
        let daemon: RunningDaemon? = beside ? try await .start(on: data) : nil
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        #expect(try await documents("indexes").output == "No indexes.\n")
        #expect(try await documents("ttl").output == "No documents expire.\n")
        #expect(try await documents("persons").output == "No patterns: erasures leave all documents.\n")

        let fields = #"[{"fieldPath": "user", "order": "ASCENDING"}, {"fieldPath": "at", "order": "DESCENDING"}]"#
        let index = #"{"collectionGroup": "orders", "queryScope": "COLLECTION", "fields": \#(fields)}"#
        try write(#"{"indexes": [\#(index)], "fieldOverrides": [{"collectionGroup": "logs", "fieldPath": "at", "indexes": []}]}"#, to: "indexes.json")
        let set = try await documents("indexes", "indexes.json")
        #expect(set.code == 0 && lines(set).first == "COLLECTION SCOPE FIELDS ORIGIN STATE", "\(set)")
        #expect(lines(set)[1].hasPrefix("orders COLLECTION user, at desc declared ") && lines(set).last == "logs at", "\(set)")
        let shown = try await documents("indexes", "--json")
        #expect(try (shown.json()["indexes"] as? [[String: Any]])?.first?["collectionGroup"] as? String == "orders", "\(shown)")

        try write(#"{"fields": [{"collection": "sessions", "field": "expires"}]}"#, to: "ttl.json")
        #expect(try await lines(documents("ttl", "ttl.json"))[1].hasPrefix("sessions expires "))
        #expect(try await lines(documents("ttl"))[1].hasPrefix("sessions expires "))

        try write(
            #"{"patterns": [{"path": "users/{uid}/**"}, {"collection": "orders", "group": true, "field": "owner", "private": ["a", "b"]}]}"#,
            to: "persons.json")
        let persons = try await documents("persons", "persons.json")
        #expect(lines(persons) == ["DOCUMENTS FIELD PRIVATE FIELDS", "users/{uid}/**", "orders (group) owner a,b"], "\(persons)")
        #expect(try await documents("persons").output == persons.output)

        try write(#"{"path": "users/ann", "fields": {"n": 1}}"# + "\n" + #"{"end": true}"#, to: "one.ndjson")
        #expect(try await documents("import", "one.ndjson").code == 0)
        let statistics = try await documents("statistics")
        #expect(statistics.code == 0 && lines(statistics).contains("documents 1") && lines(statistics).contains("patterns of persons 2"))
        #expect(lines(statistics).contains { $0.hasPrefix("users 1 1 ") } && statistics.output.contains("user,at desc"), "\(statistics)")
        #expect(try await documents("statistics", "--json").json()["documents"] as? Int == 1)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test func `a file that cannot be read or is refused changes nothing`() async throws {
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        for (name, member) in [("indexes", "indexes"), ("ttl", "fields"), ("persons", "patterns")] {
            let missing = try await documents(name, "none.json")
            #expect(missing.code == 1 && missing.complaint.contains("none.json: "), "\(missing)")
            try write(#"{"\#(member)": 1}"#, to: "wrong.json")
            let refused = try await documents(name, "wrong.json")
            #expect(refused.code == 1, "\(refused)")
            try write("{]", to: "broken.json")
            let broken = try await documents(name, "broken.json")
            #expect(broken.code == 1 && broken.complaint.contains("broken.json is not JSON"), "\(broken)")
        }
        #expect(try await documents("persons").output == "No patterns: erasures leave all documents.\n")
    }
}
