// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd auth …`: administers the accounts of an app.
enum AuthCommands {
    static let all =
        [list, show, create, claimsCommand, disable, enable, delete, signOut, reset, removeFactors, audit, keys] + AuthTransferCommands.all

    private static let common = [Option.data, Option.config, Option.json]
    private static let ofApp = [Option.app.required] + common
    private static let yes = Option("--yes", .none, "Skips the confirmation.")

    private static let list = Command(
        "auth list", "Lists accounts in the order of their creation.",
        options: [Option("--email", .text("ADDRESS"), "Only the account with this address.")] + ofApp
    ) { arguments in
        let accounts = try await DataFolder(arguments).perform { socket in
            guard let email = arguments.one("--email") else { return try await pages("/v1/auth/accounts", arguments, socket, limit: .max) }
            return try await socket.get("/v1/auth/accounts?app=\(app(arguments))&email=\(email.percentEncoded)")["items"]?.elements ?? []
        }
        if arguments.has(.json) { return try Console.printItems(accounts) { json, account in json.raw(account.json) } }
        let rows = accounts.map { account in
            ["id", "email", "name", "created_at", "last_sign_in_at"].map { account.text($0) } + [account.text("disabled") == "true" ? "disabled" : ""]
        }
        try Console.print(TextTable.lines(["ID", "EMAIL", "NAME", "CREATED", "LAST SIGN-IN", ""], rows))
    }

    private static let show = Command(
        "auth show", "Shows an account with its identities, second factors and sessions.", operands: ["ID"], options: ofApp
    ) { arguments in
        try print(try await DataFolder(arguments).perform { try await $0.get(path(arguments)) }, arguments)
    }

    private static let invite = Option("--invite", .none, "Sends the user a mail to choose a password.")

    private static let create = Command(
        "auth create", "Creates an account.",
        options: [
            Option("--email", .text("ADDRESS"), "The email address."), Option("--name", .text("TEXT"), "The name."),
            Option("--id", .text("ID"), "The user ID; default: a random one."),
            invite,
            Option("--password-file", .text("FILE"), "A file with the password; without one the user cannot sign in with a password."),
        ] + ofApp
    ) { arguments in
        let password = try arguments.one("--password-file").map(readPassword)
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", "/v1/auth/accounts?app=\(app(arguments))") { json in
                for name in ["id", "email", "name"] { if let value = arguments.one("--\(name)") { json.field(name, value) } }
                if let password { json.field("password", password) }
                if arguments.has(invite) { json.field("invite", true) }
            }
        }
        try print(made, arguments)
    }

    private static func readPassword(_ path: String) throws -> String {
        do throws(SystemError) {
            let bytes = try SmallFile.read(path, limit: 4_096)
            return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
        } catch {
            throw Failure("Could not read \(path): \(error.reason).", hint: "Name a file with the password.")
        }
    }

    private static let claimsToSet = Option("--set", .text("JSON"), "The new claims, such as {\"admin\": true}; they replace all earlier ones.")
    private static let clear = Option("--clear", .none, "Removes all claims.")

    private static let claimsCommand = Command(
        "auth claims", "Shows or sets the claims that the ID tokens of an account carry beside the usual ones.", operands: ["ID"],
        options: [claimsToSet, clear] + ofApp,
        details: "Sessions get new claims with their next refresh. Clients with an open state stream refresh at once."
    ) { try await claims($0) }

    private static func claims(_ arguments: Arguments) async throws {
        let (text, isCleared) = (arguments.one(claimsToSet.name), arguments.has(clear))
        if text != nil, isCleared { throw UsageError(what: "--set and --clear exclude each other.", hint: "Use one of them.") }
        let account: ControlReply = try await DataFolder(arguments).perform { socket in
            guard text != nil || isCleared else { return try await socket.get(path(arguments)) }
            return try await socket.send("PATCH", path(arguments)) { json in
                json.key("claims")
                json.raw(Array((text ?? "null").utf8)[...])
            }
        }
        let found: ArraySlice<UInt8> = account["claims"]?.json ?? []
        try Console.print(found.isEmpty ? "{}" : String(decoding: found, as: UTF8.self))
    }

    private static let disable = Command(
        "auth disable", "Disables an account: its sessions end and nobody can sign in to it.", operands: ["ID"], options: ofApp
    ) { try await set(disabled: true, $0) }

    private static let enable = Command("auth enable", "Enables a disabled account.", operands: ["ID"], options: ofApp) {
        try await set(disabled: false, $0)
    }

    private static func set(disabled: Bool, _ arguments: Arguments) async throws {
        let changed = try await DataFolder(arguments).perform { socket in
            try await socket.send("PATCH", path(arguments)) { $0.field("disabled", disabled) }
        }
        try print(changed, arguments)
    }

    private static let delete = Command(
        "auth delete", "Deletes an account; the app's setting on_account_deleted decides about the user's data.", operands: ["ID"],
        options: ofApp + [yes]
    ) { arguments in
        try Console.confirm("Delete the account \(arguments.operand(0))?", arguments, yes)
        try await DataFolder(arguments).perform { try await $0.delete(path(arguments)) }
        try done("deleted", "Deleted the account", arguments)
    }

    private static let signOut = Command("auth sign-out", "Ends all sessions of an account.", operands: ["ID"], options: ofApp) { arguments in
        _ = try await DataFolder(arguments).perform { socket in
            try await socket.sendWithoutReply("POST", path(arguments, "/sign-out"))
        }
        try done("signed_out", "Signed out the account", arguments)
    }

    private static let reset = Command(
        "auth reset", "Sends the user of an account a mail for a new password.", operands: ["ID"], options: ofApp
    ) { arguments in
        _ = try await DataFolder(arguments).perform { socket in
            try await socket.sendWithoutReply("POST", path(arguments, "/reset"))
        }
        try done("requested", "Requested a mail for the account", arguments)
    }

    private static let removeFactors = Command(
        "auth remove-factors", "Removes the second factors and recovery codes of an account, for a user who lost them.", operands: ["ID"],
        options: ofApp + [yes]
    ) { arguments in
        try Console.confirm("Remove the second factors of \(arguments.operand(0))?", arguments, yes)
        try await DataFolder(arguments).perform { try await $0.delete(path(arguments, "/factors")) }
        try done("factors_removed", "Removed the second factors of the account", arguments)
    }

    private static let audit = Command(
        "auth audit", "Lists what happened to accounts: sign-ins, failures, changes; newest first.",
        options: [
            Option("--user", .text("ID"), "Only this account."), Option("--event", .text("EVENT"), "Only this event, such as sign_in_failed."),
            Option("--from", .text("TIME"), "Start of the times: 2026-11-21T00:00:00Z, or relative such as -7d."),
            Option("--to", .text("TIME"), "End of the times, exclusive."),
            Option("--limit", .number("N", 1...1_000_000), "The number of events; default: 100."),
        ] + ofApp
    ) { arguments in
        let limit = arguments.one("--limit").flatMap { Int($0) } ?? 100
        let events = try await DataFolder(arguments).perform { socket in
            try await pages("/v1/auth/audit", arguments, socket, ["user", "event", "from", "to"], limit: limit)
        }
        if arguments.has(.json) { return try Console.printItems(events) { json, event in json.raw(event.json) } }
        let rows = events.map { event in ["at", "user", "event", "method", "place", "count"].map { event.text($0) } }
        try Console.print(TextTable.lines(["TIME", "ACCOUNT", "EVENT", "METHOD", "NETWORK", "COUNT"], rows))
    }

    private static let rotate = Option("--rotate", .none, "Publishes the next key, which signs in a day.")
    private static let now = Option("--now", .none, "With --rotate: the next key signs at once, and all present ID tokens are void.")

    private static let keys = Command(
        "auth keys", "Lists the keys that sign ID tokens, or replaces them.", options: [rotate, now] + common
    ) { arguments in
        if arguments.has(now), !arguments.has(rotate) { throw UsageError(what: "--now is valid with --rotate only.", hint: "Add --rotate.") }
        let found = try await DataFolder(arguments).perform { socket in
            guard arguments.has(rotate) else { return try await socket.get("/v1/auth/keys") }
            return try await socket.send("POST", "/v1/auth/keys/rotate") { if arguments.has(now) { $0.field("now", true) } }
        }
        let keys = found["items"]?.elements ?? []
        if arguments.has(.json) { return try Console.printItems(keys) { json, key in json.raw(key.json) } }
        let rows = keys.map { key in
            ["id", "signs_from", "signs_until", "known_until"].map { key.text($0) } + [key.text("signing") == "true" ? "signing" : ""]
        }
        try Console.print(TextTable.lines(["ID", "SIGNS FROM", "SIGNS UNTIL", "KNOWN UNTIL", ""], rows))
    }

    // MARK: Parts

    private static func app(_ arguments: Arguments) -> String { arguments.required(.app).percentEncoded }

    private static func path(_ arguments: Arguments, _ rest: String = "") -> String {
        "/v1/auth/accounts/\(arguments.operand(0).percentEncoded)\(rest)?app=\(app(arguments))"
    }

    private static func pages(
        _ path: String, _ arguments: Arguments, _ socket: ControlSocket, _ filters: [String] = [], limit: Int
    ) async throws -> [ControlReply] {
        let query = filters.map { name in arguments.one("--\(name)").map { "&\(name)=\($0.percentEncoded)" } ?? "" }.joined()
        var (items, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let count = min(1_000, limit - items.count)
            let target = "\(path)?app=\(app(arguments))&limit=\(count)\(query)" + (after.map { "&after=\($0.percentEncoded)" } ?? "")
            let page = try await socket.get(target)
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil && items.count < limit
        return items
    }

    private static func print(_ account: ControlReply, _ arguments: Arguments) throws {
        if arguments.has(.json) { return try Console.print(account) }
        let names = [
            "id", "email", "email_verified", "name", "photo_url", "phone", "anonymous", "disabled", "created_at", "last_sign_in_at", "valid_since",
        ]
        try Console.print(TextTable.lines(names.map { [$0, account.text($0)] }.filter { !$0[1].isEmpty }))
        try printParts(account)
    }

    /// Prints what belongs to one account, each kind as a table.
    private static func printParts(_ account: ControlReply) throws {
        let tables: [(list: String, titles: [String], names: [String])] = [
            ("identities", ["PROVIDER", "SUBJECT", "EMAIL", "LINKED"], ["provider", "subject", "email", "linked_at"]),
            ("factors", ["SECOND FACTOR", "KIND", "NAME", "CONFIRMED"], ["id", "kind", "name", "confirmed_at"]),
            (
                "sessions", ["SESSION", "METHOD", "SECOND FACTOR", "CREATED", "LAST USED", "NETWORK", "CLIENT"],
                ["id", "method", "second_factor", "created_at", "last_used_at", "place", "client"]
            ),
        ]
        for table in tables {
            let items = account[table.list]?.elements ?? []
            if items.isEmpty { continue }
            try Console.print("\n" + TextTable.lines(table.titles, items.map { item in table.names.map { item.text($0) } }))
        }
    }

    private static func done(_ field: String, _ text: String, _ arguments: Arguments) throws {
        guard arguments.has(.json) else { return try Console.print("\(text) \(arguments.operand(0)).") }
        try Console.printJSON { json in
            json.field("id", arguments.operand(0))
            json.field(field, true)
        }
    }
}
