// SPDX-License-Identifier: Apache-2.0

import Platform

/// Words that are data whatever stands beside them, and numbers that are not.
extension MessageWords {
    /// Whether a word without regard to its surroundings is data: a path, an address, a host, a token.
    static func isData(_ word: ArraySlice<UInt8>) -> Bool {
        isPath(word) || isEmail(word) || isHost(word) || isSecret(word) || isLocale(word) || isOfRegistry(word)
    }

    /// Whether the word is a unit of systemd, as in `shop.service`.
    static func isUnit(_ word: ArraySlice<UInt8>) -> Bool {
        guard let dot = word.firstIndex(of: UInt8(ascii: ".")), dot > word.startIndex else { return false }
        return unitEndings.contains(word[(dot + 1)...])
    }

    private static let unitEndings = words("service socket timer mount target slice scope")

    /// Whether the word is a language with a country, as in `de_AT` and `en-GB`.
    private static func isLocale(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count == 5, let mark = word.dropFirst(2).first, mark == UInt8(ascii: "_") || mark == UInt8(ascii: "-") else { return false }
        return word.prefix(2).allSatisfy { $0.isLetter && $0 >= 0x60 } && word.suffix(2).allSatisfy { $0.isLetter && $0 < 0x60 }
    }

    /// Whether the word is a media type or a time zone, as in `text/html` and `Europe/Berlin`.
    private static func isOfRegistry(_ word: ArraySlice<UInt8>) -> Bool {
        guard let slash = word.firstIndex(of: UInt8(ascii: "/")), registries.contains(word[..<slash]) else { return false }
        let name = word[(slash + 1)...]
        return !name.isEmpty && name.allSatisfy { $0.isWord || insideVersions.contains($0) }
    }

    private static let registries = words(
        """
        application audio font image message model multipart text video
        Europe America Asia Africa Australia Pacific Atlantic Indian Antarctica Arctic Etc
        """)

    /// Whether the word stands for an absent value.
    static func isAbsent(_ word: ArraySlice<UInt8>) -> Bool { absent.contains(word) }

    private static let absent = words("null nil none NULL None undefined N/A n/a")

    /// Whether text in angle brackets is data: an address or an absent value.
    static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        absent.contains(text) || isEmail(text) && !text.contains { outsideAddresses.contains($0) }
    }

    private static let outsideAddresses = ByteSet(" <(,;")

    /// Whether the word names one object of a kind: `mail-relay@main`, `CartActivity@fffffff`.
    static func isIdentity(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.first?.isLetter == true, let at = word.lastIndex(of: UInt8(ascii: "@")), at + 1 < word.endIndex else { return false }
        return word[at - 1].isWord && word[at + 1].isWord
    }

    /// Returns the key in front of a host: `DNS` of `DNS:api.example.com`.
    static func key(ofHost word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > word.startIndex, word[..<colon].allSatisfy(\.isLetter) else { return nil }
        let host = word[(colon + 1)...]
        return host.contains(UInt8(ascii: ".")) && isHost(host) ? word[..<colon] : nil
    }

    private static func isPath(_ word: ArraySlice<UInt8>) -> Bool {
        if pathBeginnings.contains(where: { word.begins(with: $0) }) { return word.count > 2 }
        if word.first == UInt8(ascii: "/") { return word.count == 1 || word.dropFirst().contains { $0.isWord } }
        if word.first == UInt8(ascii: "."), let next = word.dropFirst().first, next.isLetter, next >= 0x60 { return true }
        if endsAsFile(word) { return true }
        let second = word.dropFirst()
        if word.first?.isLetter == true, second.first == UInt8(ascii: ":"), second.dropFirst().first == UInt8(ascii: "\\") { return true }
        return word.count(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) >= 2
    }

    /// Whether the word ends as the name of a file with data does: `12.mov`.
    static func endsAsFile(_ word: ArraySlice<UInt8>) -> Bool {
        guard let dot = word.lastIndex(of: UInt8(ascii: ".")), dot > word.startIndex else { return false }
        return fileEndings.contains(word[(dot + 1)...])
    }

    private static let fileEndings = words(
        "scss wasm exe msi apk ipa parquet jsonl ndjson geojson bmp tif tiff mkv avi wav ogg flac otf xls ppt odt ods rtf epub eml ics vcf gpx kml rdb iso bz2 xz tgz rar zst json yaml yml toml txt csv tsv png jpg jpeg gif webp pdf log env db sqlite zip gz tar xml html htm ini conf cfg lock pem crt xlsx docx pptx mp4 mov heic properties plist pb jar bin dat bak tmp ico svg woff2 ttf webm mp3 md sock pid sql key"
    )
    private static let pathBeginnings = ["~/", "./", "../", "\\\\", ".\\"].map { Array($0.utf8) }

    private static func isEmail(_ word: ArraySlice<UInt8>) -> Bool {
        guard let at = word.firstIndex(of: UInt8(ascii: "@")), at > word.startIndex else { return false }
        return word[at...].dropFirst().contains(UInt8(ascii: "."))
    }

    /// Whether the word is a host with or without a port: `localhost`, `api.example.com`, `redis:6379`.
    private static func isHost(_ word: ArraySlice<UInt8>) -> Bool {
        let name = (word.begins(with: wildcard) ? word.dropFirst(2) : word).prefix { $0 != UInt8(ascii: ":") }
        // A path may follow the port.
        let port = word[name.endIndex...].dropFirst().prefix { $0 != UInt8(ascii: "/") }
        guard port.allSatisfy(\.isDigit),
            name.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0.isLetter && $0 >= 0x60 })
        else { return false }
        if name.elementsEqual(localhost) { return true }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return (2...5).contains(port.count) && name.first?.isLetter == true }
        return hostEndings.contains(name[(dot + 1)...])
    }

    private static let wildcard = Array("*.".utf8)
    private static let localhost = Array("localhost".utf8)
    private static let hostEndings = words(
        """
        com net org io dev app local localhost internal cluster svc example test invalid lan home corp cloud info biz edu gov eu uk de fr nl pl ua es it
        jp cn in br au ca us ch at se no fi dk cz ru tv co ai me
        """)

    /// Whether the word is a signed token or a long encoded value.
    private static func isSecret(_ word: ArraySlice<UInt8>) -> Bool {
        if word.begins(with: jwtBeginning), word.count > 16 { return true }
        guard word.count >= 24, word.allSatisfy({ $0.isLetter || $0.isDigit || secretBytes.contains($0) }) else { return false }
        let (upper, lower) = (word.count { $0.isLetter && $0 < 0x60 }, word.count { $0.isLetter && $0 >= 0x60 })
        return word.contains(where: \.isDigit) && upper > 2 && lower > 2
    }

    private static let jwtBeginning = Array("eyJ".utf8)
    private static let secretBytes = ByteSet("+/=_-")

    // MARK: - Numbers

    /// Whether a word with digits is part of the message: `404` behind `status`, `ORA-00942`, `utf8`.
    static func isFixedNumber(_ word: ArraySlice<UInt8>, behind words: [ArraySlice<UInt8>], isBehindColon: Bool) -> Bool {
        if fixedWords.contains(lowercased: word) { return true }
        if word.allSatisfy(\.isDigit) {
            return word.count == 3 && ((isBehindColon || words.isEmpty) && isFailure(word) || words.suffix(2).contains { statusWords.contains($0) })
        }
        if word.begins(with: httpVersion) { return true }
        if words.last?.elementsEqual(sqlState) == true { return true }
        let letters = word.prefix { $0.isLetter && $0 < 0x60 }
        let digits = word[letters.endIndex...]
        if letters.count == 1 { return word.first == UInt8(ascii: "E") && (4...5).contains(digits.count) && digits.allSatisfy(\.isDigit) }
        if letters.elementsEqual(oracle), digits.first == UInt8(ascii: "-") { return digits.dropFirst().allSatisfy(\.isDigit) }
        return (2...8).contains(letters.count) && (3...6).contains(digits.count) && digits.allSatisfy(\.isDigit)
    }

    /// Whether three digits are a status of HTTP by which a request fails.
    private static func isFailure(_ word: ArraySlice<UInt8>) -> Bool {
        let status = word.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return failures.contains { $0.contains(status) }
    }

    /// The registered statuses, and those of common proxies.
    private static let failures = [400...431, 440...440, 444...444, 449...449, 451...451, 499...499, 500...511, 520...530]

    /// Whether the text before a colon stays when data stands behind it: a source file, or a word that is no host.
    static func keepsName(_ name: ArraySlice<UInt8>, before rest: ArraySlice<UInt8>) -> Bool {
        guard !name.isEmpty, !name.contains(where: \.isDigit) else { return false }
        if name.contains(where: { $0.isLetter && $0 < 0x60 }) { return name.contains { $0.isLetter && $0 >= 0x60 } }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
            return name.contains(UInt8(ascii: "_")) || rest.dropFirst().contains { $0.isLetter || $0 == UInt8(ascii: "-") }
        }
        return sourceEndings.contains(name[(dot + 1)...])
    }

    private static let fixedWords = words(
        """
        utf8 utf-8 utf16 utf-16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 i32 i64 u8 u32 u64 f32 f64 md5 sha1 sha256 sha512 base64
        ipv4 ipv6 x86 x86_64 amd64 arm64 oauth2 s3 ec2 h2 http2 es6 log4j w3c iso-8859-1 latin1 win32 k8s i18n p2p d3 v8 mp3 mp4 h264
        """)
    private static let statusWords = words("code status statuscode http response error")
    private static let sourceEndings = words("swift js ts jsx tsx py rb go rs java kt cs php c cc cpp h m mm ex exs dart vue sql")
    private static let httpVersion = Array("HTTP/".utf8)
    private static let sqlState = Array("sqlstate".utf8)
    private static let oracle = Array("ORA".utf8)
}
