// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Indexes of single fields, made once for each collection ID as soon as many of its documents are cached, so that the first query with a
/// condition on one field reads an index.
///
///     201 documents of `users` with `email`, `age`, `tags`   →   users: email ascending; users: age ascending
extension LocalStore {
    static let mostFields = 20
    /// A field with longer texts gets no index before a query wants it.
    static let longestText = 256
    /// The most documents that one commit gives the entries of new indexes.
    static let stepDocuments = 250
    private static let indexedName = "indexed "

    /// Loads the IDs of the collections whose fields were chosen. Indexes that were dropped since are not made again.
    func loadIndexedCollections() throws(DocumentError) {
        indexedCollections = Set(
            try database.all(
                "SELECT substr(name, length(?1) + 1) FROM meta WHERE substr(name, 1, length(?1)) = ?1", .text(LocalStore.indexedName)
            ) { ExactName($0.text(0)) })
    }

    /// Makes the indexes of a collection's fields if they were not made and more than `fewDocuments` are cached. They replace no other index.
    ///
    /// They are filled at once, unless an earlier release has cached many documents already; then `fillSome` goes on with them.
    func indexFields(of collection: PathSegment) throws(DocumentError) {
        if indexedCollections.contains(collection.text) { return }
        let numbers = try documentNumbers(of: collection, after: 0, most: LocalStore.stepDocuments)
        guard numbers.count > LocalStore.fewDocuments else { return }
        try setMeta(LocalStore.indexedName + collection.text.text, "")
        indexedCollections.insert(collection.text)
        var documents: [RemoteDocument] = []
        for number in numbers { if let document = try cached(number: number)?.document { documents.append(document) } }
        let shapes = LocalStore.indexedFields(of: documents).map { IndexShape(.collection, collection, [IndexShape.Field($0)]) }
            .filter { shape in !indexes.contains { $0.shape == shape } }
        for shape in shapes { _ = try add(shape, at: 0) }
        try fill(shapes, most: LocalStore.stepDocuments, usedAt: 0)
    }

    /// Gives some documents their entries in indexes that are not filled.
    func fillSome() throws(DocumentError) {
        guard let next = indexes.first(where: { !$0.isFilled }) else { return }
        let shapes = indexes.filter { $0.used == next.used && $0.shape.collection == next.shape.collection }.map(\.shape)
        try fill(shapes, most: LocalStore.stepDocuments, usedAt: 0)
    }

    /// The fields of documents that have a short, single value wherever they are present: those that most documents have.
    private static func indexedFields(of documents: [RemoteDocument]) -> [FieldPath] {
        var counts: [ExactName: Int] = [:]
        var excluded: Set<ExactName> = []
        for field in documents.flatMap(\.fields.all) {
            if isIndexed(field.value) { counts[field.name, default: 0] += 1 } else { excluded.insert(field.name) }
        }
        let sorted = counts.filter { !excluded.contains($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(mostFields).compactMap { FieldPath([$0.key]) }
    }

    private static func isIndexed(_ value: DocumentValue) -> Bool {
        switch value {
        case .array, .vector, .map: false
        case .text(let text): text.bytes.count <= longestText
        case .bytes(let bytes): bytes.count <= longestText
        case .null, .bool, .integer, .double, .time, .reference, .place: true
        }
    }
}
