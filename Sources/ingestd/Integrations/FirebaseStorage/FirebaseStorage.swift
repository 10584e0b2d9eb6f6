// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Crypto
import EventStore
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// Cloud Storage for Firebase, as Firebase's SDKs of apps use it.
///
/// An app is one bucket. The bucket in the path names it, so requests need no key: storage rules decide about the user of
/// `Authorization: Firebase ID_TOKEN`, or without one about nobody.
enum FirebaseStorage {
    static let integration = Integration(
        "Firebase Storage", refusal: refusal,
        routes: [
            Route(.get, bucket, access, .task(\.integrations.firebaseObjects, FirebaseObjects.list)),
            Route(.post, bucket, access, .receive(\.integrations.firebaseUploads, FirebaseUploads.post), refusal: uploadRefusal),
            Route(.get, object, access, .task(\.integrations.firebaseObjects, FirebaseObjects.get), takesRest: true, sendsFiles: true),
            Route(.patch, object, access, .task(\.integrations.firebaseObjects, FirebaseObjects.change), most: bodyBytes, takesRest: true),
            Route(.put, object, access, .task(\.integrations.firebaseObjects, FirebaseObjects.change), most: bodyBytes, takesRest: true),
            Route(.post, object, access, .task(\.integrations.firebaseObjects, FirebaseObjects.post), most: bodyBytes, takesRest: true),
            Route(.delete, object, access, .task(\.integrations.firebaseObjects, FirebaseObjects.delete), takesRest: true),
        ])

    /// The limit of the JSON that describes a file.
    static let bodyBytes = RelatedReader.maximumMetadataBytes
    private static let (bucket, object) = ("/v0/b/{bucket}/o", "/v0/b/{bucket}/o/{path}")
    private static let access = Route.Access.integration(IntegrationKey(roles: AppFiles.roles, place: .firebase))

    // MARK: Refusals

    /// Writes an error as the SDKs read it: they map the status alone. 402 is a quota.
    @Sendable private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let status = refusal.code == .quotaExceeded ? 402 : refusal.code.statusOfStorage
        var response = HTTPResponse.json(status: status) { json in
            json.beginObject()
            json.key("error")
            json.beginObject()
            json.field("code", status)
            json.field("message", refusal.sentences)
            json.endObject()
            json.endObject()
        }
        response.addRetryAfter(refusal)
        return response
    }

    /// Says of an upload whether it can go on. iOS asks an upload that is `active` for its offset, so a refusal that is meant says `final`.
    @Sendable private static func uploadRefusal(_ refusal: Refusal) -> HTTPResponse {
        var response = self.refusal(refusal)
        let mayGoOn = response.status >= 500 || [408, 409, 429].contains(response.status)
        response.headers.append(FirebaseUploads.status(mayGoOn ? .active : .final))
        return response
    }
}

extension Call {
    /// The rights of the caller to the bucket in the path: an app's ID, name or project, which may have the suffix of Google's buckets.
    func bucketAccess(in store: Stores, named place: String = "bucket") throws(Refusal) -> FileAccess {
        let bucket = parameter(place)
        let suffix = [".appspot.com", ".firebasestorage.app"].first { bucket.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
        let name = suffix.map { String(decoding: bucket.utf8.dropLast($0.utf8.count), as: UTF8.self) } ?? bucket
        // Without a key nobody learns which apps there are.
        if case .anyone = caller, store.events.directory.now.app(named: name) == nil { return FileAccess(.unknown, caller, in: store) }
        return FileAccess(try app(ofPath: name, in: store), caller, in: store)
    }
}

extension App {
    /// The app of requests that name an unknown one: it has neither files nor rules, so rules deny each request.
    fileprivate static let unknown = App(id: AppID(rawValue: -1), name: "", created: Timestamp(milliseconds: 0), settings: AppSettings())
}

extension FileAccess {
    /// Whether the request names an unknown app.
    var isOfUnknownApp: Bool { app.id == App.unknown.id }

    /// The tokens of a file for a response; nil if there are none.
    func tokens(of file: StoredFile) -> String? {
        store.files.bounds.downloadTokens.text(of: link(to: file), stored: file.tokens, at: store.files.now, store.files.linkKey)
    }

    /// Whether a download token opens a file without any rule.
    func admits(_ token: String, to file: StoredFile) -> Bool {
        store.files.bounds.downloadTokens.admit(token, to: link(to: file), stored: file.tokens, at: store.files.now, store.files.linkKey)
    }

    private func link(to file: StoredFile) -> FileLink { FileLink(app: app.id, path: file.path, generation: file.generation, expires: 0) }
}
