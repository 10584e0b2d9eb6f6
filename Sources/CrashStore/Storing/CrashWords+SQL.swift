// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// A text shared by many reports or counts. It is stored once in `words`, and rows refer to its number.
struct CrashWord: Hashable, Sendable {
    enum Kind: Int64, Sendable {
        case release = 1
        case os = 2
        case device = 3
        case platform = 4
        case environment = 5
    }

    var app: Int64
    var kind: Kind
    var text: String
}

/// The numbers of a release in `words`, each -1 if there is none: of the text itself, and of its release key.
struct ReleaseNumbers: Sendable {
    var exact: Int64
    var key: Int64

    var values: [Value] { [.integer(exact), .integer(key)] }
}

extension CrashFileContext {
    /// Returns the number of a text, which is inserted if it is new. Returns 0 without a text, and for new texts above `CrashBounds.words`.
    func number(of text: String?, _ kind: CrashWord.Kind, app: Int64) throws -> Int64 {
        guard let text, !text.isEmpty else { return 0 }
        let word = CrashWord(app: app, kind: kind, text: text)
        if let known = words[word] { return known }
        let number = try file.number(of: word) ?? make(word)
        words[word] = number
        return number
    }

    private func make(_ word: CrashWord) throws -> Int64 {
        let there =
            try file.statement("SELECT count(*) FROM words WHERE app = ? AND kind = ?")
            .first(.integer(word.app), .integer(word.kind.rawValue)) { $0.int(0) } ?? 0
        guard there < limits.words else { return 0 }
        try file.statement("INSERT INTO words (app, kind, text, first) VALUES (?, ?, ?, ?)")
            .run(.integer(word.app), .integer(word.kind.rawValue), .text(word.text), .integer(now.milliseconds))
        return file.lastInsertedRow
    }
}

extension CrashDB {
    func number(of word: CrashWord) throws -> Int64? {
        try statement("SELECT id FROM words WHERE app = ? AND kind = ? AND text = ?")
            .first(.integer(word.app), .integer(word.kind.rawValue), .text(word.text)) { $0.integer(0) }
    }

    /// Returns the numbers of a release that a query names. Rows have the release key, but SDKs and their tools name the whole release. A
    /// report without a release has its app version, which may look like one:
    ///
    ///     2.2, shop@2.2, shop@2.2+57  →  the number of 2.2
    ///     shop@2.2                    →  also that of the app version shop@2.2
    func numbers(ofRelease text: String, app: AppID) throws -> ReleaseNumbers {
        func find(_ text: String) throws -> Int64? { try number(of: CrashWord(app: app.rawValue, kind: .release, text: text)) }
        return ReleaseNumbers(exact: try find(text) ?? -1, key: try ReleaseKey.of(release: text, appVersion: nil).flatMap(find) ?? -1)
    }

    func word(_ number: Int64) throws -> (text: String, first: Int64)? {
        if number == 0 { return nil }
        return try statement("SELECT text, first FROM words WHERE id = ?").first(.integer(number)) { ($0.text(0), $0.integer(1)) }
    }
}
