// SPDX-License-Identifier: Apache-2.0

import Platform

/// Decides which parts of a message are data. It belongs to rule 2: a change here changes stored groups and needs a new rule.
enum MessageWords {
    static let placeholder = Array("<*>".utf8)
    static let joiningWord = Array(" and".utf8)
    static let quotes = ByteSet("\"'`")
    /// Characters between the entries of a list.
    static let joins = ByteSet(" ,:/-.;|")
    static let insideTokens = ByteSet("-./\\:@%+*#~$&?!^")
    static let behindTokens = ByteSet(".:!?*&^-/")
    static let insideArguments = ByteSet("./=")
    static let endOfValue = ByteSet(",;)]}&\"")
    static let endOfURL = ByteSet("\"'`<>}")
    /// Characters between the fields in a bracket.
    static let betweenFields = ByteSet(" ,;|")
    static let behindEmptyValue = ByteSet(" ,;")
    static let behindWholeValue = ByteSet(",;)]}")
    static let comparisons = ByteSet("=<>~!")
    static let insideVersions = ByteSet(".-+*")
    static let insidePaths = ByteSet("./\\-_")
    static let endOfPath = ByteSet(":,;")
    static let behindUnit = Array(": ".utf8)
    static let behindDrive = Array(":\\".utf8)

    /// Returns a message with plain quotation marks in place of typographic ones, cut where only data follows.
    static func plain(_ message: Substring.UTF8View) -> ArraySlice<UInt8> {
        var out: [UInt8] = []
        out.reserveCapacity(message.count)
        for byte in message {
            out.append(byte)
            guard byte >= 0x80 || tailEnds.contains(byte) else { continue }
            if let (mark, plain) = marks.first(where: { out.suffix($0.0.count).elementsEqual($0.0) }) {
                out.removeLast(mark.count)
                out.append(plain)
            } else if tails.contains(where: { out.suffix($0.count).elementsEqual($0) }) {
                break
            }
        }
        return logged(out[...]) ?? out[...]
    }

    /// The last bytes of the texts below.
    private static let tailEnds = ByteSet(":{s")
    /// Texts behind which messages of databases and web servers have only data.
    private static let tails = [
        "SQL:", ", client:", "[parameters:", " at [Source:", "Topology Description:", "UserInfo={", "Failing row contains", "` response:",
    ].map { Array($0.utf8) }
    private static let marks: [([UInt8], UInt8)] =
        ["“", "”", "„", "«", "»"].map { (Array($0.utf8), UInt8(ascii: "\"")) }
        + ["‘", "’"].map { (Array($0.utf8), UInt8(ascii: "'")) }

    /// Whether a word belongs to the number beside it: `PM`, `April`, `€`, `EUR`.
    static func isOfNumber(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count <= 9 else { return false }
        if currencies.contains(word) { return true }
        return units.contains(lowercased: word) || isOfDate(word)
    }

    /// Whether a word is the name of a day or month.
    static func isOfDate(_ word: ArraySlice<UInt8>) -> Bool {
        guard (3...9).contains(word.count), word.dropFirst().allSatisfy({ $0.isLetter && $0 >= 0x60 }) else { return false }
        // `may` is a word, `May` beside a number a month.
        return dates.contains(lowercased: word) || longDates.contains(lowercased: word) || word.elementsEqual("May".utf8)
    }

    /// Whether the text begins with a place in a JSON document, as in `$.items[17]`.
    static func isPlaceInDocument(_ text: ArraySlice<UInt8>) -> Bool {
        guard let next = text.dropFirst().first else { return true }
        return next == UInt8(ascii: ".") || next == UInt8(ascii: "[") || next.isSpace
    }

    static let endOfPlace = ByteSet("\"'`,;)")

    /// Returns the message in a log line that is a JSON object; nil for other lines.
    private static func logged(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.first == UInt8(ascii: "{") else { return nil }
        for key in logKeys {
            guard let start = line.indices.first(where: { line[$0] == key[0] && line[$0...].begins(with: key) }) else { continue }
            return line[(start + key.count)...].prefix { $0 != UInt8(ascii: "\"") }
        }
        return nil
    }

    private static let logKeys = ["\"msg\":\"", "\"message\":\"", "\"error\":\"", "\"msg\": \"", "\"message\": \""].map { Array($0.utf8) }

    static let currencies = words("€ £ ¥ $ ₴ zł EUR USD GBP UAH JPY CHF PLN CNY INR CAD AUD SEK NOK DKK CZK BRL BTC")

    private static let units = words(
        """
        am pm utc gmt z b kb mb gb tb kib mib gib tib bytes byte ms ns us sec secs second seconds minute minutes hour hours day days percent cent cents
        pence
        """)
    private static let dates = words("mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep oct nov dec")
    private static let longDates = words(
        """
        monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
        """)

    // MARK: - Names announced by the word before

    /// Whether a quotation behind the word is data: `user "ana"`, `host 'db'`.
    static func announces(_ word: ArraySlice<UInt8>) -> Bool {
        nouns.contains(word) || isResource(word) || word.last == UInt8(ascii: "s") && nouns.contains(word.dropLast()) || announcesBareName(word)
            || isIdentifierKey(word)
    }

    /// Whether the word names a kind of resource of Kubernetes: `deployments.apps`.
    private static func isResource(_ word: ArraySlice<UInt8>) -> Bool {
        word.prefix { $0 != UInt8(ascii: ".") }.last == UInt8(ascii: "s") && word.contains(UInt8(ascii: "."))
    }

    /// Whether a quotation behind the last of the words is data. In `thread named "main"` the word before counts.
    static func announces(_ words: [ArraySlice<UInt8>]) -> Bool {
        guard let last = words.last else { return false }
        if words.count > 1, last.elementsEqual("named".utf8) { return announces(words[words.count - 2]) }
        return announces(last)
    }

    static func announcesBareName(_ word: ArraySlice<UInt8>) -> Bool { bareNouns.contains(word) }

    /// Whether the word names an identifier, as `RequestID` does.
    static func isIdentifierKey(_ word: ArraySlice<UInt8>) -> Bool {
        nounsBeforeColon.contains(word) || word.count > 3 && word.suffix(2).elementsEqual("id".utf8)
    }

    private static let nouns = words(
        """
        user username login account customer client host hostname server node broker database db file filename path directory folder dir url uri
        address ip email mail token jwt session order device volume disk mount group role value string input id uuid sku branch commit ref
        repository repo tenant claim audience issuer scope secret service namespace job ingress serviceaccount clusterrole statefulset daemonset cronjob
        replicaset configmap identifier application app thread task version release document partition shard process pid thread worker key name domain tag label locale text data query header parsing pod deployment resolve index
        """)
    private static let bareNouns = words(
        "requirement comm enotfound eai_again lookup topic bucket queue pod container dev host hostname image consumer subscription exchange vhost pvc configmap endpoint"
    )
    private static let nounsBeforeColon = words(
        "container image volume key token sku host user email address file path bucket index node pod string uuid input id server client upstream referrer quota"
    )
    static let identifyingKeys = words("type code reason status error kind level op operation state errno message title")
    /// Words that follow a noun without being its name: `topic not found`.
    static let common = words(
        """
        not is was are were has have had does did do already of for in to the a an with could cannot can must may should would will and or by from on
        at as no exists exist name names id required invalid missing failed found but that this be been being does doesn't when while if then than
        unreachable unavailable unknown closed empty full down up error timeout authority header headers key value type policy failure resolution
        """)

    /// Whether a single letter behind the word is data: `illegal character a`.
    static func announcesLetter(_ word: ArraySlice<UInt8>) -> Bool { nounsOfLetters.contains(word) }

    private static let nounsOfLetters = words("character char byte")

    static func words(_ text: String) -> WordList {
        WordList(text.utf8.split { $0 == 0x20 || $0 == 0x0a }.map { String(decoding: $0, as: UTF8.self) })
    }

    // MARK: - Quotations

    /// Whether quoted text is a message: at least three plain words.
    static func isSentence(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split(separator: 0x20)
        let plain = words.count { word in word.count >= 3 && word.allSatisfy { $0.isLetter || insideSentences.contains($0) } }
        let isStatus = words.first.map { $0.count == 3 && $0.allSatisfy(\.isDigit) } == true
        return plain >= 3 || plain >= 1 && isStatus
    }

    /// Whether the text behind a quotation says that it is a wrong value: `"x" is not a valid UUID`.
    static func rejects(_ rest: ArraySlice<UInt8>) -> Bool { rejections.begins(rest) }

    private static let rejections = WordList([" is not a valid", " is not valid", " is invalid", " is not an allowed"])

    /// Whether the text behind a name says that it is one of source code: `event.target is null`.
    static func isOfCode(_ rest: ArraySlice<UInt8>) -> Bool { statements.begins(rest) }

    private static let statements = WordList([
        " is not a function", " is not a constructor", " is not an object", " is not iterable", " is not defined", " is undefined", " is null",
    ])

    /// Returns the bracket that closes a structure.
    static func closing(_ open: UInt8) -> UInt8? {
        switch open {
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    /// Whether quoted text is a name from source code: `map`, `Shop.Cart`, `users_email_key`.
    static func isFixed(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty, text.count <= 64, !isData(text), !currencies.contains(text) else { return false }
        return text.allSatisfy { $0 < 0x80 && !$0.isDigit && ($0.isWord || insideNames.contains($0)) }
    }

    private static let insideSentences = ByteSet("_-.,:!'")
    private static let insideNames = ByteSet(".$-:!?#[]()*")
}
