// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd files …` but for transfers and rules: lists, removes, links, measures and checks the files of an app.
enum FileCommands {
    static let all =
        [list] + FileTransferCommands.all + [remove, link, usage, FileExportCommand.command, FileImportCommand.command, FilePendingCommand.command]
        + FileRuleCommands.all + [
            check
        ]
    static let common = [Option.app.required, .data, .config, .json]

    private static let recursive = Option("--recursive", .none, "Also those of the folders below.")
    private static let pageSize = 1_000

    // MARK: Lists

    private static let list = Command(
        "files ls", "Lists the files and folders of an app.", operands: ["[FOLDER]"], options: [recursive] + common
    ) { arguments in
        let folder = folderName(arguments.operand(0))
        let found = try await DataFolder(arguments).perform { socket in
            var (files, folders) = ([ControlReply](), [String]())
            try await pages(of: folder, delimiter: arguments.has(recursive) ? nil : "/", arguments, socket) { page in
                files += page["items"]?.elements ?? []
                folders += (page["folders"]?.elements ?? []).map(\.text)
            }
            return (files: files, folders: folders)
        }
        if arguments.has(.json) {
            return try Console.printJSON { json in
                json.key("folders")
                json.beginArray()
                for folder in found.folders { json.string(folder) }
                json.endArray()
                json.key("items")
                json.beginArray()
                for file in found.files { json.raw(file.json) }
                json.endArray()
            }
        }
        if found.files.isEmpty, found.folders.isEmpty { return try Console.print("No files.") }
        let rows =
            found.folders.map { ["-", "", "", $0] } + found.files.map { [$0.text("size"), $0.text("updated_at"), $0.text("type"), $0.text("path")] }
        try Console.print(TextTable.lines(["SIZE", "CHANGED", "TYPE", "PATH"], rows))
    }

    /// Calls a closure with each page of a list.
    private static func pages(
        of prefix: String, delimiter: String?, _ arguments: Arguments, _ socket: ControlSocket, _ body: (ControlReply) async throws -> Void
    ) async throws {
        var after: String?
        repeat {
            var target = "/v1/files/\(arguments.required(.app).percentEncoded)?limit=\(pageSize)&prefix=\(prefix.percentEncoded)"
            if let delimiter { target += "&delimiter=\(delimiter.percentEncoded)" }
            if let after { target += "&after=\(after.percentEncoded)" }
            let page = try await socket.get(target)
            try await body(page)
            after = page["next"]?.text
        } while after != nil
    }

    /// Returns a folder's name with the slash that ends it; empty for all files.
    private static func folderName(_ text: String) -> String { text.isEmpty || text.hasSuffix("/") ? text : text + "/" }

    // MARK: Changes

    private static let remove = Command(
        "files rm", "Removes a file, or with --recursive all files of a folder.", operands: ["PATH"],
        options: [recursive, .app.required, .data, .config]
    ) { arguments in
        let path = arguments.operand(0)
        let count = try await DataFolder(arguments).perform { socket in
            guard arguments.has(recursive) else {
                try await removeFile(path, arguments, socket)
                return 1
            }
            var paths: [String] = []
            try await pages(of: folderName(path), delimiter: nil, arguments, socket) { page in
                paths += (page["items"]?.elements ?? []).map { $0.text("path") }
            }
            for path in paths { try await socket.delete(target(path, arguments)) }
            return paths.count
        }
        if count == 0 {
            throw Failure("There are no files in \(folderName(path)).", hint: "`ingestd files ls` lists files and folders.")
        }
        try Console.print("Removed \(count.of("file")).")
    }

    private static func removeFile(_ path: String, _ arguments: Arguments, _ socket: ControlSocket) async throws {
        guard let refused = try await socket.deleteIfThere(target(path, arguments)) else { return }
        let below = try? await socket.get("/v1/files/\(app(arguments))?limit=1&prefix=\(folderName(path).percentEncoded)")
        if below?["items"]?.elements.isEmpty ?? true { throw refused }
        throw Failure("\(path) is a folder.", hint: "With --recursive all of its files are removed.")
    }

    private static let seconds = Option("--seconds", .number("N", 1...604_800), "The time for which the link is valid; 3,600 without it.")
    private static let revocable = Option("--revocable", .none, "Makes a link that can be revoked by its ID.")

    private static let link = Command(
        "files link", "Makes a link with which its holder may read a file until it ends.", operands: ["PATH"],
        options: [seconds, revocable] + common,
        details: "The link is relative to the address of the server. One to a path without a file is made with a warning."
    ) { arguments in
        let path = arguments.operand(0)
        let (made, isThere) = try await DataFolder(arguments).perform { socket in
            let isThere = try await exists(path, arguments, socket)
            let made = try await socket.send("POST", target(path, arguments) + "?link") { json in
                if let seconds = arguments.one(seconds.name).flatMap({ Int($0) }) { json.field("expires_in", seconds) }
                if arguments.has(revocable) { json.field("revocable", true) }
            }
            return (made, isThere)
        }
        if !isThere { Console.complain("warning: there is no file \(path); the link reads one that is stored until it ends", of: "ingestd") }
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print(made.text("url"))
    }

    /// Whether there is a file. A page of files with the prefix begins with it.
    private static func exists(_ path: String, _ arguments: Arguments, _ socket: ControlSocket) async throws -> Bool {
        let page = try await socket.get("/v1/files/\(app(arguments))?limit=1&prefix=\(path.percentEncoded)")
        return page["items"]?.elements.first?.text("path").hasSameBytes(as: path) == true
    }

    // MARK: Figures

    private static let folders = Option("--folders", .none, "Shows the largest folders instead of users.")
    private static let prefix = Option("--prefix", .text("FOLDER"), "With --folders: the folders in this one, such as users/.")

    private static let usage = Command(
        "files du", "Shows what the files of an app and of its users take.", options: [folders, prefix] + common
    ) { arguments in
        if arguments.has(folders) { return try await showFolders(arguments) }
        let (whole, users) = try await DataFolder(arguments).perform { socket in
            var (users, after): ([ControlReply], String?) = ([], nil)
            var whole: ControlReply
            repeat {
                let cursor = after.map { "&after=\($0.percentEncoded)" } ?? ""
                whole = try await socket.get("/v1/files:usage?app=\(app(arguments))&limit=\(pageSize)\(cursor)")
                users += whole["items"]?.elements ?? []
                after = whole["next"]?.text
            } while after != nil
            return (whole, users)
        }
        if arguments.has(.json) {
            return try Console.printJSON { json in
                for name in ["bytes", "files", "open_uploads", "reserved_bytes", "most_bytes"] { json.field(name, whole[name]?.integer ?? 0) }
                json.key("items")
                json.beginArray()
                for user in users { json.raw(user.json) }
                json.endArray()
            }
        }
        let rows = [("all", whole)] + users.map { ($0.text("uid"), $0) }
        try Console.print(
            TextTable.lines(
                ["USER", "FILES", "BYTES", "OPEN UPLOADS"],
                rows.map { [$0.0, $0.1.text("files"), $0.1.text("bytes"), $0.1.text("open_uploads")] }))
    }

    private static func showFolders(_ arguments: Arguments) async throws {
        let below = arguments.one(prefix.name) ?? ""
        let found = try await DataFolder(arguments).perform { socket in
            try await socket.get("/v1/files:folders?app=\(app(arguments))&limit=100&prefix=\(below.percentEncoded)")
        }
        if arguments.has(.json) { return try Console.print(found) }
        let rows = (found["items"]?.elements ?? []).map { [$0.text("path"), $0.text("files"), $0.text("bytes")] }
        let rest = ["(files in no folder)", found.text("files"), found.text("bytes")]
        try Console.print(TextTable.lines(["FOLDER", "FILES", "BYTES"], rows + [rest]))
        if found["complete"]?.json.elementsEqual("false".utf8) == true {
            try Console.print("Not all files were counted: the app has too many for one look.")
        }
    }

    private static let deep = Option("--deep", .none, "Also reads all bytes and compares them with their sums.")

    private static let check = Command(
        "files check", "Compares the files on the disk with their entries in the database.", options: [deep] + common
    ) { arguments in
        let progress = Progress()
        defer { progress.end() }
        let result = try await DataFolder(arguments).perform { socket in
            var (files, bytes, damages, after): (Int, Int64, [ControlReply], String?) = (0, 0, [], nil)
            repeat {
                let cursor = after.map { "&after=\($0.percentEncoded)" } ?? ""
                let page = try await socket.get("/v1/files:check?app=\(app(arguments))\(arguments.has(deep) ? "&deep=1" : "")\(cursor)")
                files += Int(page["files"]?.integer ?? 0)
                bytes += page["bytes"]?.integer ?? 0
                damages += page["items"]?.elements ?? []
                after = page["next"]?.text
                progress.show("Checking files", files)
            } while after != nil
            return (files: files, bytes: bytes, damages: damages)
        }
        progress.end()
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("files", result.files)
                json.field("bytes", result.bytes)
                json.key("items")
                json.beginArray()
                for damage in result.damages { json.raw(damage.json) }
                json.endArray()
            }
        } else if result.damages.isEmpty {
            let whole = "\(result.files.of("file")) \(result.files == 1 ? "is" : "are") whole"
            try Console.print("\(whole)\(arguments.has(deep) ? "; read \(Int(result.bytes).of("byte"))" : "").")
        } else {
            try Console.print(TextTable.lines(["DAMAGE", "PATH"], result.damages.map { [$0.text("what"), $0.text("path")] }))
        }
        let count = result.damages.count
        if count > 0 {
            throw Failure(
                "\(count) of \(result.files.of("file")) \(count == 1 ? "is" : "are") damaged.",
                hint: "Restore them from a backup, or remove them with `ingestd files rm`.")
        }
    }

    // MARK: Targets

    static func app(_ arguments: Arguments) -> String { arguments.required(.app).percentEncoded }

    /// The target of requests about a file.
    static func target(_ path: String, _ arguments: Arguments) -> String { target(path, app: app(arguments)) }

    /// The same for an app, whose name is percent-encoded.
    static func target(_ path: String, app: String) -> String {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)).percentEncoded }
        return "/v1/files/\(app)/\(segments.joined(separator: "/"))"
    }
}
