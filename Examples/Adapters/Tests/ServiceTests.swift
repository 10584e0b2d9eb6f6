// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocuments
import Testing

@testable import AppAdapters

/// Messaging, analytics, the catalog and the configuration.
@Suite(.timeLimit(.minutes(1))) struct ServiceTests {
    @Test func `messages of a subscribed topic are streamed`() async throws {
        let messaging = InMemoryMessaging()
        let adapter = SignalboxMessagingAdapter(messaging)
        #expect(try await adapter.getToken() == "token-1")
        try await adapter.subscribe(topic: "offers")
        try await adapter.subscribe(topic: "news")
        try await adapter.unsubscribe(topic: "news")
        #expect(messaging.topics == ["offers"])
        messaging.deliver(RemoteMessage(id: "m1", topic: "offers", notification: .init(title: "Cake", body: "for two"), data: ["product": "cake"]))
        var messages = adapter.messageStream().makeAsyncIterator()
        let message = await messages.next()
        #expect(message?.title == "Cake")
        #expect(message?.body == "for two")
        #expect(message?.topic == "offers")
        #expect(message?.data == ["product": "cake"])
    }

    @Test func `an adapted stream reads its source only when it is read`() async {
        let reads = Counter()
        let source = AsyncStream { await reads.next() }
        var adapted = AsyncStream<String>(reading: source) { "\($0)" }.makeAsyncIterator()
        #expect(await reads.count == 0)
        #expect(await adapted.next() == "1")
        #expect(await reads.count == 1)
        #expect(await adapted.next() == "2")
        #expect(await reads.count == 2)
    }

    private actor Counter {
        private(set) var count = 0

        func next() -> Int? {
            count += 1
            return count
        }
    }

    @Test func `events keep the types of their parameters`() throws {
        let analytics = InMemoryAnalytics()
        let service = SignalboxAnalyticsService(analytics)
        let price = try #require(Decimal(string: "4.50"))
        service.logEvent(
            "view_item", parameters: ["name": "Tea", "count": 2, "share": 0.5, "new": true, "price": price, "page": URL(fileURLWithPath: "/tea")])
        service.logPurchase("tea", price: price, currency: "EUR", transactionID: "o-7")
        #expect(
            analytics.events.first?.parameters == [
                "name": "Tea", "count": 2, "share": 0.5, "new": true, "price": .decimal(price), "page": "file:///tea",
            ])
        #expect(analytics.events.last?.name == "purchase")
        #expect(analytics.events.last?.parameters["transaction_id"] == "o-7")
        service.setUserID("ann")
        service.setUserProperty("gold", forName: "tier")
        #expect(analytics.userID == "ann")
        #expect(analytics.properties["tier"] == "gold")
        service.setCollectionEnabled(false)
        #expect(!analytics.isCollectionEnabled)
    }

    // MARK: Catalog

    private static let tea: [String: FieldValue] = ["name": "Tea", "price_cents": 350, "currency": "EUR"]

    @Test func `a whole document is a product`() throws {
        let product = try ProductMapper.product(StoredDocument(path: "products/tea", data: Self.tea))
        #expect(product == Product(id: "tea", name: "Tea", price: try #require(Decimal(string: "3.5")), currency: "EUR"))
        let gone = StoredDocument(path: "products/tea", data: Self.tea.merging(["available": false]) { $1 })
        #expect(try ProductMapper.product(gone).isAvailable == false)
    }

    @Test(
        arguments: [
            (field: "name", value: nil, error: MappingError.missing(document: "products/tea", field: "name")),
            ("name", "", .malformed(document: "products/tea", field: "name", reason: "is empty")),
            ("name", 3, .malformed(document: "products/tea", field: "name", reason: "is no text")),
            ("price_cents", nil, .missing(document: "products/tea", field: "price_cents")),
            ("price_cents", 3.5, .malformed(document: "products/tea", field: "price_cents", reason: "is no integer")),
            ("price_cents", "350", .malformed(document: "products/tea", field: "price_cents", reason: "is no integer")),
            ("price_cents", -1, .malformed(document: "products/tea", field: "price_cents", reason: "is negative")),
            ("currency", "euro", .malformed(document: "products/tea", field: "currency", reason: "is no ISO 4217 code")),
            ("available", "yes", .malformed(document: "products/tea", field: "available", reason: "is no Boolean")),
        ] as [(field: String, value: FieldValue?, error: MappingError)])
    func `a malformed document is no product`(field: String, value: FieldValue?, error: MappingError) {
        var data = Self.tea
        data[field] = value
        #expect(throws: error) { try ProductMapper.product(StoredDocument(path: "products/tea", data: data)) }
    }

    @Test func `the catalog leaves malformed documents out and reports them`() async throws {
        let server = try InMemoryDocuments(["products/tea": Self.tea, "products/odd": ["name": "Odd"]])
        let (reports, continuation) = AsyncStream.makeStream(of: MappingError.self)
        let catalog = DocumentProductRepository(SignalboxStorageAdapter(server.documents)) { continuation.yield($0) }
        #expect(try await catalog.products().map(\.id) == ["tea"])
        var reported = reports.makeAsyncIterator()
        #expect(await reported.next() == .missing(document: "products/odd", field: "price_cents"))
        #expect(try await catalog.product(id: "tea").name == "Tea")
        await #expect(throws: StorageError.notFound) { try await catalog.product(id: "cake") }
        await #expect(throws: MappingError.missing(document: "products/odd", field: "price_cents")) { try await catalog.product(id: "odd") }

        var seen = catalog.productStream().makeAsyncIterator()
        try await seen.reach { $0.map(\.id) == ["tea"] }
        try await server.documents.document("products/odd").set(Self.tea)
        try await seen.reach { $0.map(\.id) == ["odd", "tea"] }
        await server.documents.close()
    }

    // MARK: Configuration

    private static let file = Data(
        #"{"development": {"key": "dev"}, "production": {"address": "https://signals.example.org", "key": "prod"}}"#.utf8)

    @Test func `the stage chooses the daemon`() throws {
        let development = try BackendConfiguration(.development, file: Self.file)
        #expect(development.address.absoluteString == BackendConfiguration.localDaemon)
        #expect(development.key == "dev")
        let production = try BackendConfiguration(.production, file: Self.file)
        #expect(production.address.absoluteString == "https://signals.example.org")
        #expect(production.key == "prod")
    }

    @Test func `the environment counts in development alone`() throws {
        let environment = ["SIGNALBOX_URL": "http://127.0.0.1:9999", "SIGNALBOX_KEY": "other"]
        let development = try BackendConfiguration(.development, file: Self.file, environment: environment)
        #expect(development.address.port == 9999)
        #expect(development.key == "other")
        #expect(try BackendConfiguration(.development, file: nil, environment: environment) == development)
        #expect(try BackendConfiguration(.production, file: Self.file, environment: environment).key == "prod")
    }

    @Test func `production needs a key and https`() {
        typealias Failure = BackendConfiguration.ConfigurationError
        #expect(throws: Failure.badAddress("")) { try BackendConfiguration(.production, file: nil) }
        #expect(throws: Failure.noKey(.development)) { try BackendConfiguration(.development, file: nil) }
        let plain = Data(#"{"production": {"address": "http://signals.example.org", "key": "prod"}}"#.utf8)
        #expect(throws: Failure.insecureAddress("http://signals.example.org")) { try BackendConfiguration(.production, file: plain) }
        let keyless = Data(#"{"production": {"address": "https://signals.example.org", "key": ""}}"#.utf8)
        #expect(throws: Failure.noKey(.production)) { try BackendConfiguration(.production, file: keyless) }
        #expect(throws: Failure.self) { try BackendConfiguration(.production, file: Data("[]".utf8)) }
    }
}
