// SPDX-License-Identifier: Apache-2.0

import Accounts
import JSON
import Platform

/// `ingestd auth import` and `ingestd auth export`.
enum AuthTransferCommands {
    static let all = [importAccounts, exportAccounts]

    /// The size of the parts in which a file is sent.
    private static let partBytes = 4 << 20
    private static let parameters = Option(
        "--hash-parameters", .text("FILE"), "How passwords were hashed: Firebase's hash_config, or JSON. Not needed for bcrypt as text.")
    private static let replace = Option("--replace", .none, "Replaces accounts with the same ID; their sessions end.")

    private static let importAccounts = Command(
        "auth import", "Adds accounts: an export of Firebase (JSON or CSV), of Supabase, or of ingestd.", operands: ["FILE"],
        options: [.app.required, parameters, replace, .data, .config, .json],
        details: "Prints the number of added accounts. Entries that cannot be added are listed; the others are added."
    ) { arguments in
        let header = try arguments.one(parameters.name).map(readParameters)
        let path = arguments.operand(0)
        let target = "/v1/auth/accounts/import?app=\(arguments.required(.app).percentEncoded)&replace=\(arguments.has(replace))"
        let folder = try DataFolder(arguments)
        var sum = Sum()
        var parts = try ImportParts(path, header: header, partBytes: partBytes)
        let progress = Progress()
        defer { progress.end() }
        while let part = try parts.next() {
            let reply = try await folder.perform {
                try await $0.send("POST", target, part.body, type: "application/x-ndjson", timeout: .seconds(3_600))
            }
            sum.add(reply, offset: part.first)
            progress.show("Importing accounts", sum.added + sum.failed)
        }
        progress.end()
        try sum.print(arguments)
    }

    private static func readParameters(_ path: String) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, limit: 64 << 10)
        } catch {
            throw Failure("Could not read \(path): \(error.reason).", hint: "Name a file with the parameters.")
        }
        guard let json = HashParameterText.json(String(decoding: bytes, as: UTF8.self)) else {
            throw Failure("\(path) has no parameters of hashes.", hint: "Copy the block hash_config of Firebase's console into it.")
        }
        return Array("{\"hash\":".utf8) + json + Array("}\n".utf8)
    }

    private static let secrets = Option(
        "--secrets", .none, "With password hashes, second factors and sessions, for a daemon with the same accounts.key.")

    private static let exportAccounts = Command(
        "auth export", "Writes all accounts of an app to standard output, as lines that `auth import` reads.",
        options: [.app.required, secrets, .data, .config]
    ) { arguments in
        let target = "/v1/auth/accounts/export?app=\(arguments.required(.app).percentEncoded)&secrets=\(arguments.has(secrets))"
        try await DataFolder(arguments).perform { try await $0.stream(target) { try Console.put($0) } }
    }

    /// The results of all parts.
    private struct Sum {
        var added = 0
        var failed = 0
        var errors: [(entry: Int, id: String, detail: String)] = []

        mutating func add(_ reply: ControlReply, offset: Int) {
            added += Int(reply["added"]?.integer ?? 0)
            failed += Int(reply["failed"]?.integer ?? 0)
            for error in (reply["errors"]?.elements ?? []) where errors.count < 1_000 {
                errors.append((Int(error["index"]?.integer ?? 0) + offset, error.text("id"), error.text("detail")))
            }
        }

        func print(_ arguments: Arguments) throws {
            if arguments.has(.json) {
                try Console.printJSON(("added", added), failed: failed, errors) { json, error in
                    json.field("entry", error.entry)
                    json.field("id", error.id)
                    json.field("detail", error.detail)
                }
            } else {
                try Console.print("Added \(added.of("account")); \(failed) could not be added.")
                let rows = errors.map { [String($0.entry), $0.id, $0.detail] }
                if !rows.isEmpty { try Console.print(TextTable.lines(["ENTRY", "ID", "REASON"], rows)) }
            }
            if failed > 0 { throw Failure("\(failed.of("account")) could not be added.", hint: "Correct the listed entries and import them again.") }
        }
    }
}
