// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Crypto
import Database
import JSON
import Platform

/// `ingestd backup`, `ingestd backup verify` and `ingestd restore`.
enum BackupCommands {
    private static let passphraseFile = Option(
        "--passphrase-file", .text("FILE"), "A file with the passphrase of an encrypted backup, of at least 12 bytes.")
    private static let keyFile = Option(
        "--key-file", .text("FILE"), "A file with at least 32 random bytes, such as of `head -c 32 /dev/urandom`, that encrypts the backup.")
    private static let encryption = [passphraseFile, keyFile]
    private static let includeKeys = Option(
        "--include-keys", .none, "Also copies accounts.key into an unencrypted backup. Keep it as safe as the passwords of all users.")
    private static let update = Option(
        "--update", .none, "Replaces the backup in DIR, if it has one of this data folder; copies only files of users that it lacks.")
    private static let accountsKey = Option("--accounts-key", .text("FILE"), "The key of the accounts, if the backup does not contain it.")

    static let backup = Command(
        "backup", "Copies all data to a new folder while the daemon runs, with a manifest of SHA-256 sums.", operands: ["DIR"],
        options: encryption + [includeKeys, update, .data, .config, .json],
        details: """
            With a passphrase or key file the folder contains one encrypted file. Keep the secret elsewhere: nothing restores without it.
            Without one, the key of the accounts (accounts.key) must be kept apart, or be included.
            """
    ) { arguments in
        // The daemon has another working directory.
        let target = try absolute(arguments.operand(0))
        let key = try secret(arguments)
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", "/v1/backup", timeout: .seconds(86_400)) { json in
                json.field("directory", target)
                if arguments.has(includeKeys) { json.field("include_keys", true) }
                if arguments.has(update) { json.field("update", true) }
                switch key {
                case .key(let bytes): json.field("key", Base64.encode(bytes))
                case .passphrase(let bytes): json.field("passphrase", String(decoding: bytes, as: UTF8.self))
                case nil: break
                }
            }
        }
        try requireSeen(target)
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Backed up \(made.text("files")) files, \(made.text("bytes")) bytes, to \(target).")
        if let key = made["key_apart"]?.text {
            try Console.print("Keep a copy of \(key) apart: the accounts in this backup cannot be restored without it.")
        }
    }

    /// Detects a daemon with a private `/tmp`, whose backup would not be visible here.
    private static func requireSeen(_ target: String) throws {
        let isThere: Bool
        do throws(FileError) {
            isThere = try Folder.names(in: target).contains(BackupManifest.fileName) || Backup.isEncrypted(target)
        } catch {
            // A folder that this user may not read does exist.
            isThere = !error.isMissing
        }
        guard isThere else {
            throw Failure(
                "The daemon wrote the backup, but \(target) is not visible from here.",
                hint: "The service may have a private /tmp. Name a folder below /var/backups/ingestd.")
        }
    }

    private static let verifyOnly = Option("--verify", .none, "Verifies the backup against its manifest and restores nothing.")

    static let restore = Command(
        "restore", "Restores a backup into an empty data folder, after verifying it.", operands: ["DIR"],
        options: [verifyOnly] + encryption + [accountsKey, .data, .config, .json]
    ) { arguments in
        let (source, key) = try place(arguments)
        if arguments.has(verifyOnly) {
            let manifest = try key.map { try Backup.verify(source, $0) } ?? Backup.verify(source)
            return try report(manifest, "The backup is complete", arguments)
        }
        let configuration = try DataFolder(arguments).configuration
        let folder = configuration.storage.directory
        let place = keyPlace(arguments, configured: configuration.store.accounts.keyFile)
        try report(try restored(source, key, place, into: folder), "Restored into \(folder)", arguments)
    }

    static let verify = Command(
        "backup verify", "Proves that a backup can be restored: restores it into a temporary folder and opens it.", operands: ["DIR"],
        options: encryption + [
            accountsKey, Option("--temporary", .text("DIR"), "A new folder for the copy, with enough space; default: in the system's."), .json,
        ]
    ) { arguments in
        let (source, key) = try place(arguments)
        let temporary =
            arguments.one("--temporary") ?? "\(ProcessEnvironment.variables["TMPDIR"] ?? "/tmp")/\(randomToken(prefix: "ingestd-verify-"))"
        let (manifest, apps) = try await Backup.prove(source, key, accountsKey: keyPlace(arguments), in: temporary)
        try report(manifest, "The backup was restored and opened (\(apps.of("app")))", arguments)
    }

    private static func keyPlace(_ arguments: Arguments, configured: String? = nil) -> AccountsKeyPlace {
        arguments.one(accountsKey.name).map { .copied(from: $0) } ?? configured.map { .configured($0) } ?? .backup
    }

    /// The folder of a backup, with the secret that it needs.
    private static func place(_ arguments: Arguments) throws -> (folder: String, key: BackupKey?) {
        let (source, key) = (arguments.operand(0), try secret(arguments))
        let isEncrypted = Backup.isEncrypted(source)
        guard isEncrypted || Backup.isPlain(source) else {
            throw Failure("\(source) contains no backup of ingestd.", hint: "Name a folder that `ingestd backup` wrote.")
        }
        if isEncrypted, key == nil {
            throw Failure("The backup is encrypted.", hint: "Give its secret with --passphrase-file or --key-file.")
        }
        if !isEncrypted, key != nil { throw Failure("The backup is not encrypted.", hint: "Leave out --passphrase-file and --key-file.") }
        return (source, key)
    }

    /// The secret in the file that an option names.
    private static func secret(_ arguments: Arguments) throws -> BackupKey? {
        let (passphrase, key) = (arguments.one(passphraseFile.name), arguments.one(keyFile.name))
        if passphrase != nil, key != nil { throw UsageError(what: "Give either --passphrase-file or --key-file.", hint: "See --help.") }
        guard let path = passphrase ?? key else { return nil }
        let bytes = try File(path, .read).read(at: 0, count: 5_000)
        if passphrase != nil {
            guard String(validating: bytes, as: UTF8.self) != nil, let secret = BackupKey.passphrase(ofFile: bytes) else {
                throw Failure("\(path) has no passphrase.", hint: "Put 12 to 1,024 bytes of text on its only line.")
            }
            return secret
        }
        guard let secret = BackupKey.key(ofFile: bytes) else {
            throw Failure("\(path) is no key file.", hint: "Make one of 32 to 4,096 bytes: head -c 32 /dev/urandom > FILE")
        }
        return secret
    }

    /// No daemon can start on the folder before it is complete.
    private static func restored(
        _ source: String, _ key: BackupKey?, _ accountsKey: AccountsKeyPlace, into folder: String
    ) throws -> BackupManifest {
        try DataFolder.rejectForeign(StorePaths(root: folder))
        try Folder.make(folder)
        let lock = try File(StorePaths(root: folder).lock, .keep)
        guard try lock.lock() else { throw StoreError.locked(path: folder) }
        return try withExtendedLifetime(lock) { try Backup.restore(source, key, accountsKey: accountsKey, into: folder) }
    }

    private static func report(_ manifest: BackupManifest, _ what: String, _ arguments: Arguments) throws {
        let bytes = manifest.entries.reduce(0) { $0 + $1.bytes }
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("files", manifest.entries.count)
                json.field("bytes", bytes)
            }
        } else {
            try Console.print("\(what): \(manifest.entries.count) files, \(bytes) bytes.")
        }
    }

    private static func absolute(_ path: String) throws -> String {
        do {
            return try OwnProcess.absolutePath(of: path)
        } catch {
            throw Failure("Could not resolve the working directory: \(error.reason).", hint: "Give the absolute path of the backup.")
        }
    }
}
