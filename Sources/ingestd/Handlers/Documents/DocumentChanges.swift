// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Database
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The log of changes for servers that copy documents or act on changes: pages, or a stream that goes on.
///
///     GET /v1/documents:changes?after=1795428000000001
///     {"changes": [{"place": "1795428000000002-0.9f3c02aa", "kind": "created", "path": "users/u1", "after": {…}}], "next": "…", "current": true}
struct DocumentChanges: Sendable {
    private static let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]
    private static let changesOfStream = 500

    let store: Stores
    let configuration: LiveConfiguration

    static let routes = [Route(.get, "/v1/documents:changes", .role(.data), .task(\.documentChanges, DocumentChanges.read))]

    func read(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "after", "collection", "group", "limit")
        let app = try call.app(in: store)
        let (scope, limit) = (try query.scope(), try query.number("limit", 1...1_000, default: 100))
        let text = try query.one("after") ?? call.head.header("Last-Event-ID")
        let place = try text.map { text throws(Refusal) in try self.place(text) }
        let page = try await page(place, scope, app.id, limit)
        if call.head.header("Accept")?.contains("text/event-stream") ?? false { return try stream(page, scope, call, app) }
        return .response(
            .json { json in
                json.beginObject()
                json.key("changes")
                json.beginArray()
                for change in page.changes { json.change(change, at: self.text(change.place)) }
                json.endArray()
                json.field("next", self.text(page.next))
                json.field("current", page.isCurrent)
                json.endObject()
            })
    }

    /// A position as clients keep it, with the history that it belongs to.
    private func text(_ place: ChangePlace) -> String { "\(place).\(store.documents.history)" }

    /// Reads a position. A stamp, as exports have it, names no history.
    private func place(_ text: String) throws(Refusal) -> ChangePlace {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard let place = ChangePlace(parts[0]) else {
            throw .field("after", "bad_cursor", "must be a stamp, or the next position of an earlier page")
        }
        if parts.count > 1, !parts[1].hasSameBytes(as: store.documents.history) { throw Self.isTooOld }
        return place
    }

    private static let isTooOld = Refusal.field(
        "after", "out_of_range",
        "is before what the change log reaches back to, or of another history than a restored backup has; read the documents anew")

    private func page(_ place: ChangePlace?, _ scope: ChangeScope, _ app: AppID, _ limit: Int) async throws -> ChangePage {
        do {
            return try await store.documents.changes(after: place, in: scope, app: app, limit: limit)
        } catch ReadFault.tooOld {
            throw Self.isTooOld
        }
    }

    /// Streams the page and what follows. An event `reset` before the end says that the log no longer has what comes next.
    private func stream(_ first: ChangePage, _ scope: ChangeScope, _ call: Call, _ app: App) throws(Refusal) -> HandlerResponse {
        let follower = try store.documents.followers.follow(app.id)
        let caller = call.caller
        return .stream(status: 200, headers: Self.headers) { writer in
            defer { follower.close() }
            async let _: Void = follower.beat(every: configuration.now.stream.keepAlive)
            var (place, isCurrent, isBehind) = (first.next, first.isCurrent, false)
            try await writer.write(text(of: first, isNewlyCurrent: isCurrent))
            for await _ in follower.wakeUps {
                repeat {
                    // Ends when the key is revoked.
                    guard store.knows(caller) else { return }
                    guard let page = try await later(place, scope, app.id) else {
                        return try await writer.write(Array("event: reset\ndata: {}\n\n".utf8))
                    }
                    try await writer.write(text(of: page, isNewlyCurrent: page.isCurrent && !isCurrent))
                    (place, isCurrent, isBehind) = (page.next, isCurrent || page.isCurrent, !page.isCurrent)
                } while isBehind
            }
        }
    }

    /// Returns the next changes of a stream; nil if the log no longer has them.
    private func later(_ place: ChangePlace, _ scope: ChangeScope, _ app: AppID) async throws -> ChangePage? {
        do {
            return try await store.documents.changes(after: place, in: scope, app: app, limit: Self.changesOfStream)
        } catch ReadFault.tooOld { return nil }
    }

    /// The events of a page; a comment without any.
    private func text(of page: ChangePage, isNewlyCurrent: Bool) -> [UInt8] {
        var lines = page.changes.flatMap(event)
        if isNewlyCurrent { lines += Array("id: \(text(page.next))\nevent: current\ndata: {}\n\n".utf8) }
        return lines.isEmpty ? Array(":\n\n".utf8) : lines
    }

    private func event(_ change: LoggedChange) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.change(change, at: text(change.place))
        return Array("id: \(text(change.place))\nevent: change\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
    }
}

extension QueryString {
    /// The collection `collection`, or with `group` all with its ID.
    fileprivate func scope() throws(Refusal) -> ChangeScope {
        let isGroup = try flag("group")
        guard let text = try one("collection") else {
            if isGroup { throw .field("collection", "missing", "is required beside group") }
            return .all
        }
        guard let path = DocumentPath(text), !path.isDocument, !isGroup || path.segments.count == 1 else {
            throw .field("collection", "invalid", "must be the path of a collection, such as users; with group its ID")
        }
        return isGroup ? .group(path.id) : .collection(path)
    }
}

extension JSONWriter {
    fileprivate mutating func change(_ change: LoggedChange, at place: String) {
        beginObject()
        field("place", place)
        field("stamp", change.place.stamp)
        switch change.kind {
        case .created: field("kind", "created")
        case .changed: field("kind", "updated")
        case .deleted: field("kind", "deleted")
        }
        field("path", change.path.description)
        for (name, document) in [("before", change.before), ("after", change.after)] {
            guard let document else { continue }
            key(name)
            beginObject()
            key("fields")
            fields(document.fields)
            field("version", document.version.microseconds)
            field("created", document.created.microseconds)
            endObject()
        }
        endObject()
    }
}
