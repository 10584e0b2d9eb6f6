// SPDX-License-Identifier: Apache-2.0

/// The catalog as the app's screens read it.
public protocol ProductRepository: Sendable {
    func products() async throws -> [Product]
    func product(id: String) async throws -> Product
    func productStream() -> AsyncStream<[Product]>
}

/// The catalog over documents. One malformed document does not hide the others: it is left out and reported.
public struct DocumentProductRepository: ProductRepository {
    private let storage: any StorageAdapter
    private let collection: String
    private let onMalformed: @Sendable (MappingError) -> Void

    public init(
        _ storage: any StorageAdapter, collection: String = "products", onMalformed: @escaping @Sendable (MappingError) -> Void = { _ in }
    ) {
        (self.storage, self.collection, self.onMalformed) = (storage, collection, onMalformed)
    }

    public func products() async throws -> [Product] { valid(try await storage.getCollection(collection)) }

    /// - Throws: `StorageError.notFound` if there is no such product; `MappingError` if its document is malformed.
    public func product(id: String) async throws -> Product {
        let document = try await storage.getDocument("\(collection)/\(id)")
        guard document.exists else { throw StorageError.notFound }
        return try ProductMapper.product(document)
    }

    public func productStream() -> AsyncStream<[Product]> {
        AsyncStream(reading: storage.observeCollection(collection)) { valid($0) }
    }

    private func valid(_ documents: [StoredDocument]) -> [Product] {
        documents.compactMap { document in
            do throws(MappingError) {
                return try ProductMapper.product(document)
            } catch {
                onMalformed(error)
                return nil
            }
        }
    }
}
