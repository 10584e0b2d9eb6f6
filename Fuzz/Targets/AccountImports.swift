// SPDX-License-Identifier: Apache-2.0

import Accounts
import JSON
import Platform

/// Imports of accounts: a stream of entries, and each entry as an account or as the parameters of hashes.
///
/// The entries do not depend on how the stream is cut, and an accepted account can be stored.
enum AccountImports {
    private static let key = AccountsKey.make()

    static func run(_ bytes: [UInt8]) {
        let whole = split(bytes, step: max(1, bytes.count))
        require(whole == split(bytes, step: 7), "the entries depend on how the stream is cut")
        if let entries = whole {
            accepted()
            for entry in entries.prefix(50) { read(entry) }
        }
        if let text = String(validating: bytes, as: UTF8.self), let json = HashParameterText.json(text) {
            require((try? JSONValue(json)) != nil, "parameters that are not JSON")
        }
    }

    private static func split(_ bytes: [UInt8], step: Int) -> [[UInt8]]? {
        var (splitter, entries) = (EntrySplitter(), [[UInt8]]())
        do {
            for start in stride(from: 0, to: bytes.count, by: step) {
                try splitter.add(bytes[start..<min(start + step, bytes.count)]) { entries.append($0) }
            }
            try splitter.finish()
            return entries
        } catch { return nil }
    }

    private static func read(_ entry: [UInt8]) {
        guard let object = try? JSONValue(entry) else { return }
        let hashes = (try? HashImport.Parameters(object)).flatMap { try? HashImport($0, key) }
        for source in [ImportedAccount.Source.otherProduct, .ownExport(hasKey: true), .ownExport(hasKey: false)] {
            guard let account = try? ImportedAccount(object, hashes: hashes, from: source) else { continue }
            require(AccountID.isValid(account.uid), "a user ID that no account may have")
            if let hash = account.hash { require(PasswordHash(stored: hash.stored) == hash, "a hash that cannot be stored") }
            require(account.identities.count <= ImportedIdentity.most, "more identities than an account may have")
            let parts = account.parts
            require(parts.factors.count <= 5 && parts.sessions.count <= 100, "more parts than an account may have")
            let texts =
                [account.name, account.photoURL, account.phone].compactMap(\.self) + parts.sessions.flatMap { [$0.method, $0.client, $0.place] }
            for text in texts + account.identities.flatMap({ [$0.provider, $0.subject] }) {
                require(!text.unicodeScalars.contains(where: \.isControl) && text.utf8.count <= 2_048, "a profile with a control character")
            }
        }
    }
}
