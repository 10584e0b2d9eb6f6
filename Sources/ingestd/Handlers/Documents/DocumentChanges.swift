// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The log of changes for servers that copy documents or act on changes: pages, or a stream that goes on.
///
///     GET /v1/documents:changes?after=1795428000000001
///     {"changes": [{"place": "1795428000000002-0", "kind": "created", "path": "users/u1", "after": {…}}], "next": "…", "current": true}
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
        let place = text.flatMap { ChangePlace($0) }
        if text != nil, place == nil { throw Refusal.field("after", "bad_cursor", "must be a stamp, or the next position of an earlier page") }
        let page = try await page(place, scope, app.id, limit)
        if call.head.header("Accept")?.contains("text/event-stream") ?? false { return try stream(page, scope, call, app) }
        return .response(
            .json { json in
                json.beginObject()
                json.key("changes")
                json.beginArray()
                for change in page.changes { json.change(change) }
                json.endArray()
                json.field("next", page.next.description)
                json.field("current", page.isCurrent)
                json.endObject()
            })
    }

    private func page(_ place: ChangePlace?, _ scope: ChangeScope, _ app: AppID, _ limit: Int) async throws -> ChangePage {
        do {
            return try await store.documents.changes(after: place, in: scope, app: app, limit: limit)
        } catch ReadFault.tooOld {
            throw Refusal.field("after", "out_of_range", "is before what the change log reaches back to; read the documents anew")
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
            try await writer.write(Self.text(of: first, isNewlyCurrent: isCurrent))
            for await _ in follower.wakeUps {
                repeat {
                    // Ends when the key is revoked.
                    guard store.knows(caller) else { return }
                    guard let page = try await later(place, scope, app.id) else {
                        return try await writer.write(Array("event: reset\ndata: {}\n\n".utf8))
                    }
                    try await writer.write(Self.text(of: page, isNewlyCurrent: page.isCurrent && !isCurrent))
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
    private static func text(of page: ChangePage, isNewlyCurrent: Bool) -> [UInt8] {
        var text = page.changes.flatMap(event)
        if isNewlyCurrent { text += Array("id: \(page.next)\nevent: current\ndata: {}\n\n".utf8) }
        return text.isEmpty ? Array(":\n\n".utf8) : text
    }

    private static func event(_ change: LoggedChange) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.change(change)
        return Array("id: \(change.place)\nevent: change\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
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
    fileprivate mutating func change(_ change: LoggedChange) {
        beginObject()
        field("place", change.place.description)
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
