// SPDX-License-Identifier: Apache-2.0

import FileStore
import Files
import HTTPServer
import Platform

/// The response to a request for the bytes of a file.
///
/// A file is never a page of this origin: it is sandboxed, its type is not guessed, and only types that browsers show without running them
/// are shown inline. HTML, SVG, XML and PDF are downloads, whatever was stored.
struct FileDownload {
    private static let headers: [(name: String, value: String)] = [
        ("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "sandbox; default-src 'none'"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
    private static let inlineImages = ["png", "jpeg", "gif", "webp", "avif", "bmp", "x-icon", "vnd.microsoft.icon"]

    let opened: OpenedFile
    /// The disposition of a link.
    let disposition: FileLink.Disposition?
    let store: FileStore

    func response(to head: HTTPRequestHead, now: Timestamp) throws -> HTTPResponse {
        let (file, size) = (opened.file, Int(opened.file.size))
        let modified = Int(file.updated.milliseconds / 1_000)
        let validators = FileValidators(tag: EntityTag(String(file.etag.dropFirst().dropLast())), modified: modified)
        let common = FileDownload.headers + [("ETag", file.etag), ("Last-Modified", HTTPDate.text(modified))]
        switch FileConditions(head, now: Int(now.milliseconds / 1_000)).delivery(of: size, for: validators) {
        case .whole: return try body(0, size, status: 200, head, common + described)
        case .part(let range):
            return try body(range.offset, range.length, status: 206, head, common + described + [("Content-Range", range.contentRange(of: size))])
        case .notModified: return HTTPResponse(status: 304, headers: common + [("Cache-Control", cacheControl)])
        case .failed: throw Refusal(.preconditionFailed, "The file is not in the state that the request depends on.")
        case .unsatisfiable:
            // It is a refusal that has header fields of the file.
            store.gauges.count(.badRequest)
            return HTTPResponse(status: 416, headers: common + [("Content-Range", FileRange.unsatisfied(size: size))])
        }
    }

    private func body(
        _ offset: Int, _ length: Int, status: Int, _ head: HTTPRequestHead, _ headers: [(name: String, value: String)]
    ) throws -> HTTPResponse {
        if head.method != .head { store.activity.noteDownload(Int64(length), app: opened.file.app, at: store.now) }
        switch opened.contents {
        case .bytes(let bytes):
            if head.method != .head { store.gauges.countSent(length) }
            return HTTPResponse(status: status, headers: headers, body: length == bytes.count ? bytes : Array(bytes[offset..<offset + length]))
        case .file(let file):
            return HTTPResponse(status: status, headers: headers, file: FileBody(owning: try file.duplicate(), offset: offset, length: length))
        }
    }

    // MARK: Headers

    private var cacheControl: String { opened.file.details.cacheControl ?? "private, max-age=0" }

    private var described: [(name: String, value: String)] {
        let details = opened.file.details
        var out = [("Content-Type", details.type), ("Cache-Control", cacheControl), ("Content-Disposition", contentDisposition)]
        if let encoding = details.contentEncoding { out.append(("Content-Encoding", encoding)) }
        if let language = details.contentLanguage { out.append(("Content-Language", language)) }
        return out
    }

    private var contentDisposition: String {
        let name = "filename*=UTF-8''\(opened.file.path.name.percentEncoded)"
        guard FileDownload.mayBeInline(opened.file.details.type) else { return "attachment; \(name)" }
        if let disposition { return "\(disposition.rawValue); \(name)" }
        return opened.file.details.contentDisposition ?? "inline; \(name)"
    }

    /// Whether browsers show a type without running anything in it.
    static func mayBeInline(_ type: String) -> Bool {
        // A text of two types, such as `image/png text/html`, is unknown.
        let words = type.utf8.prefix { $0 != UInt8(ascii: ";") }.split { $0 == 0x20 || $0 == 0x09 }
        guard words.count == 1, !words[0].contains(UInt8(ascii: ",")) else { return false }
        let essence = String(decoding: words[0].map(\.lowercased), as: UTF8.self)
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return switch parts[0] {
        // XML may bring scripts and styles, whatever it describes.
        case "audio", "video": !parts[1].hasSuffix("+xml")
        case "image": inlineImages.contains(String(parts[1]))
        default: essence == "text/plain"
        }
    }
}
