// SPDX-License-Identifier: Apache-2.0

import AppAdapters
import FileAdapters
import Foundation
import Signalbox
import SignalboxDocuments

/// The shop behind its screens. It has no user interface, so that an app for iOS can compile the same sources.
public final class Shop: Sendable {
    public enum ShopError: Error, Equatable, Sendable {
        case notSignedIn
        /// The bank declined the card, for a reason to show.
        case declined(String)
        /// Payments need the network; the order stays.
        case offline
    }

    /// The orders of the user, newest first, as they change.
    public typealias Orders = AsyncMapSequence<AsyncThrowingStream<QuerySnapshot, any Error>, [Order]>

    public static let offersTopic = "offers"

    private let login: any LoginGateway
    private let auth: any AuthAdapter
    private let catalog: any ProductRepository
    private let receipts: any FileAdapters.StorageAdapter
    private let messaging: any MessagingAdapter
    private let analytics: any AnalyticsServiceProtocol
    private let documents: Documents
    private let functions: any Functions

    public init(_ backend: Backend) {
        let signalbox = backend.signalbox
        let analytics = SignalboxAnalyticsService(signalbox.analytics)
        (self.analytics, documents, functions) = (analytics, backend.documents, signalbox.functions)
        login = SignalboxLoginGateway(SignalboxAuthService(signalbox.accounts), analytics: analytics)
        auth = SignalboxAuthAdapter(signalbox.accounts)
        catalog = DocumentProductRepository(AppAdapters.SignalboxStorageAdapter(backend.documents)) {
            analytics.logError($0, context: ["screen": "catalog"])
        }
        receipts = FileAdapters.SignalboxStorageAdapter(signalbox.files)
        messaging = SignalboxMessagingAdapter(signalbox.messaging)
    }

    // MARK: Account

    /// Makes an account and the user's own document.
    public func register(name: String, email: String, password: String) async throws -> AppUser {
        let user = try await login.register(try LoginCredentials(email: email, password: password), name: name)
        try await documents.document("users/\(user.id)").set(["name": .text(name), "joined": .serverTime])
        return user
    }

    public func signIn(email: String, password: String) async throws -> AppUser {
        try await login.login(try LoginCredentials(email: email, password: password))
    }

    /// Returns the user of the last launch, without a network.
    public func restore() -> AppUser? { login.restore() }

    public func signOut() async throws { try await login.logout() }

    private func user() async throws -> AppUser {
        guard let user = await auth.currentUser() else { throw ShopError.notSignedIn }
        return user
    }

    // MARK: Orders

    /// Returns the products that can be ordered; without a network those that were seen last.
    public func products() async throws -> [Product] {
        analytics.logScreenView("Catalog")
        return try await catalog.products().filter(\.isAvailable)
    }

    /// Places an order. It returns once the order is on this device, and does not wait for the network.
    public func place(_ product: String, quantity: Int = 1) async throws -> Order {
        let owner = try await user().id
        let document = documents.collection("orders").document()
        let fields: [String: FieldValue] = [
            "owner": .text(owner), "product": .text(product), "quantity": .integer(Int64(quantity)), "state": "new", "created": .serverTime,
        ]
        try await documents.batch().create(document, fields).enqueue()
        analytics.logEvent("begin_checkout", parameters: ["product": product, "quantity": quantity])
        return Order(id: document.id, product: product, quantity: quantity, state: .new, isPending: true)
    }

    /// Follows the user's orders, with those that the daemon does not have yet. Malformed documents are left out and logged.
    public func orders() async throws -> Orders {
        let owner = try await user().id
        let own = documents.collection("orders").where("owner", isEqualTo: .text(owner)).order("created", descending: true)
        return own.snapshots(includeMetadataChanges: true).map { [analytics] snapshot in
            snapshot.documents.compactMap { document in
                do throws(DocumentError) {
                    return try Order(document)
                } catch {
                    analytics.logError(error, context: ["screen": "orders"])
                    return nil
                }
            }
        }
    }

    /// Orders that the rules refused. They are gone from `orders()`.
    public func refusedOrders() async -> AsyncStream<WriteFailure> { await documents.failures() }

    // MARK: Payment

    private struct Payment: Encodable {
        var order: String
        var card: String
    }

    /// Pays an order by the function `pay`. Paying twice charges once.
    public func pay(_ order: String, card: String) async throws -> Receipt {
        let pay = functions.httpsCallable("pay", requestAs: Payment.self, responseAs: Receipt.self)
        let receipt: Receipt
        do throws(FunctionsError) {
            receipt = try await pay.call(Payment(order: order, card: card))
        } catch {
            switch error.code {
            case .unavailable: throw ShopError.offline
            case .failedPrecondition: throw ShopError.declined(error.message)
            default: throw error
            }
        }
        analytics.logPurchase(receipt.product, price: receipt.total, currency: receipt.currency, transactionID: receipt.order)
        return receipt
    }

    /// Keeps a receipt in the user's folder and returns a URL to read it.
    public func keep(_ receipt: Receipt) async throws -> URL {
        let user = try await user()
        return try await receipts.uploadFile("users/\(user.id)/receipts/\(receipt.order).txt", Data(receipt.text.utf8))
    }

    // MARK: Offers

    /// Subscribes to offers, also for later launches, and returns them as they arrive.
    public func offers() async throws -> AsyncStream<PushMessage> {
        try await messaging.subscribe(topic: Self.offersTopic)
        return messaging.messageStream()
    }

    /// Logs that the user opened an offer.
    public func opened(_ offer: PushMessage) {
        analytics.logEvent("notification_open", parameters: ["message_id": offer.id])
    }
}
