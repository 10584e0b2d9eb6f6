// SPDX-License-Identifier: Apache-2.0

import Crypto
import FileStore
import Files
import Functions
import JOSE
import Platform

/// A line of an export of files.
enum FileLine {
    /// A path, metadata and tokens of the largest size, with each byte escaped.
    static let maximumBytes = 128 << 10
    private static let mostTokens = 100
    private static let names = [
        "path", "size", "type", "sha256", "crc32c", "generation", "metageneration", "etag", "created_at", "updated_at", "owner", "cache_control",
        "content_disposition", "content_encoding", "content_language", "metadata", "pending_until",
    ]

    enum Setting {
        case persons([PersonFolder])
        case pending([PendingRule])
        case rules(String)
    }

    case file(ImportedFile, md5: [UInt8]?)
    case setting(Setting)
    /// The end of an export.
    case other

    static let noFile = Refusal(.invalid, "The request has no line of a file.", hint: "Send a line of an export, and the bytes behind it.")

    init(_ line: [UInt8]) throws(Refusal) {
        let body = try Body(line)
        if body.names.contains("file") {
            self = try FileLine.file(body)
        } else if body.names.contains("setting") {
            self = .setting(try FileLine.setting(body))
        } else if body.names.contains("end") {
            self = .other
        } else {
            throw Refusal(.invalid, "The line has neither a file nor a setting.")
        }
    }

    // MARK: Files

    private static func file(_ body: Body) throws(Refusal) -> FileLine {
        try body.allow("file", "md5", "download_tokens")
        let entry = try body.object("file")
        try entry.allow(names)
        guard let path = FilePath(try entry.text("path")) else { throw .field("path", "bad_path", "must be the path of a file") }
        guard let size = try entry.number("size", 0...Int.max) else { throw .field("size", "missing", "is required") }
        guard let sha256 = try entry.hex("sha256", bytes: 32) else { throw .field("sha256", "missing", "is required") }
        var file = ImportedFile(path, size: Int64(size), sha256: sha256, details: try details(entry))
        try file.details.requireValid()
        file.owner = try entry.optionalText("owner")
        if let owner = file.owner, !TokenClaims.isSubject(owner) { throw .field("owner", "bad_value", "must be the ID of a user") }
        file.tokens = try tokens(body)
        if let created = try entry.time("created_at"), let updated = try entry.time("updated_at") {
            file.times = FileTimes(created: created, updated: updated)
        }
        if let function = try entry.optionalText("pending_until") { file.pendingUntil = try FunctionName(function, field: "pending_until").text }
        return .file(file, md5: try body.hex("md5", bytes: 16))
    }

    private static func details(_ entry: Body) throws(Refusal) -> FileDetails {
        var details = FileDetails(type: try entry.optionalText("type") ?? FileDetails.unknownType)
        details.cacheControl = try entry.optionalText("cache_control")
        details.contentDisposition = try entry.optionalText("content_disposition")
        details.contentEncoding = try entry.optionalText("content_encoding")
        details.contentLanguage = try entry.optionalText("content_language")
        guard entry.names.contains("metadata") else { return details }
        let metadata = try entry.object("metadata")
        for name in metadata.names { details.metadata.append(FileDetails.Entry(name, try metadata.text(name))) }
        return details
    }

    private static func tokens(_ body: Body) throws(Refusal) -> String? {
        guard let text = try body.optionalText("download_tokens"), !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }), text.utf8.count(where: { $0 == UInt8(ascii: ",") }) < mostTokens else {
            throw .field("download_tokens", "bad_value", "must be at most \(mostTokens) tokens, separated by commas")
        }
        return text
    }

    // MARK: Settings

    private static func setting(_ body: Body) throws(Refusal) -> Setting {
        try body.allow("setting", "value")
        let value = try body.object("value")
        switch try body.text("setting") {
        case "persons":
            try value.allow("paths")
            return .persons(try PersonFolder.folders(value))
        case "pending":
            try value.allow("rules")
            return .pending(try PendingRule.rules(value))
        case "rules":
            try value.allow("source")
            return .rules(try value.text("source"))
        default: throw .field("setting", "unknown", "must be persons, pending or rules")
        }
    }
}

extension Body {
    fileprivate func hex(_ name: String, bytes count: Int) throws(Refusal) -> [UInt8]? {
        guard let text = try optionalText(name) else { return nil }
        guard let bytes = Hex.decode(text), bytes.count == count else {
            throw .field(name, "bad_digest", "must be \(count) bytes in hexadecimal digits")
        }
        return bytes
    }

    fileprivate func time(_ name: String) throws(Refusal) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = Timestamp(rfc3339: Array(text.utf8).span) else { throw .field(name, "bad_time", "must be a time of RFC 3339") }
        return time
    }
}
