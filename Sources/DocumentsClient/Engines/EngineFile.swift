// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The documents that a sync engine has seen.
struct SeenDocuments<Model: SyncedModel>: Sendable {
    /// The document that is followed; nil for a collection.
    var id: String?
    var models: [Model] = []
}

/// Held while files of sync engines are read, written or removed, so that a removal comes before or after each of the others.
enum EngineFiles {
    static let access = Locked(())
}

/// The file in which a sync engine keeps documents for the next launch, one for each user.
struct EngineFile<Model: SyncedModel>: Sendable {
    private let url: URL?

    /// - Parameter key: The engine's name; nil keeps nothing.
    init(key: String?, user: String?, in folder: URL?) {
        url = key.flatMap { key in
            folder?.appendingPathComponent(StoreName.of(user) + StoreName.engineSuffix).appendingPathComponent(StoreName.plain(key) + ".json")
        }
    }

    func load() -> SeenDocuments<Model>? {
        guard let url, let data = try? Data(contentsOf: url) else { return nil }
        return JSONNode(data).flatMap { SeenDocuments($0) }
    }

    /// Saves the state. A file that cannot be written is a slower start, and no error.
    func save(_ seen: SeenDocuments<Model>?) {
        guard let url else { return }
        guard let seen, let json = try? seen.json else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        try? PrivateFolder.make(url.deletingLastPathComponent())
        try? Data(json).write(to: url, options: .atomic)
    }
}

/// The form in the file: `{"id":"u1","documents":[{"id":"u1","fields":{"name":"Ann"}}]}`, with the fields as the daemon has them.
extension SeenDocuments {
    fileprivate var json: [UInt8] {
        get throws(DocumentError) {
            var kept: [(id: String?, fields: WrittenFields)] = []
            for model in models { kept.append((model.documentID, try WrittenFields(try DocumentEncoder().encode(model)))) }
            var json = JSONText()
            json.object { json in
                json.field("id", id)
                json.list("documents", kept) { json, document in
                    json.object { json in
                        json.field("id", document.id)
                        json.key("fields")
                        json.object(document.fields)
                    }
                }
            }
            return json.bytes
        }
    }

    /// Returns nil for a file of another form, such as that of an earlier version of the app.
    fileprivate init?(_ node: JSONNode) {
        guard let documents = node["documents"]?.elements else { return nil }
        id = node["id"]?.text
        models = documents.compactMap { node in
            guard let fields = node["fields"].flatMap(NativeText.fields) else { return nil }
            return try? DocumentDecoder().decode(Model.self, from: .map(FieldValue.fields(fields)), path: node["id"]?.text)
        }
        if models.count != documents.count { return nil }
    }
}
