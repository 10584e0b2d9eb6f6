// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The commands of the shop. It takes the client's services as protocols, so that a test can pass the in-memory types.
struct Shop {
    enum Trouble: Error { case paperJam }

    private static let goods: [String: Decimal] = ["tea": 3, "cake": Decimal(string: "4.50") ?? 0, "book": Decimal(string: "19.99") ?? 0]

    private let analytics: any Analytics
    private let crashes: any Crashes
    private let messaging: any Messaging
    private var offers: Task<Void, Never>?
    private var basket: [String: Int] = [:]

    init(analytics: any Analytics, crashes: any Crashes, messaging: any Messaging) {
        self.analytics = analytics
        self.crashes = crashes
        self.messaging = messaging
    }

    /// Stops listening for offers.
    func close() {
        offers?.cancel()
    }

    /// Runs a command and returns the text to print.
    mutating func answer(_ words: [String]) async -> String {
        if let verb = words.first { crashes.log(verb) }
        switch (words.first, words.count) {
        case ("goods", 1): return list()
        case ("look", 2): return look(words[1])
        case ("take", 2): return take(words[1])
        case ("pay", 1): return pay()
        case ("name", 3): return name(words[1], tier: words[2])
        case ("offers", 1): return await hearOffers()
        case ("jam", 1): return jam()
        case ("crash", 1): fatalError("The kiosk fell over.")
        case ("odd", 1): return odd()
        case ("consent", 2): return consent(words[1] == "yes")
        default: return "Unknown command."
        }
    }

    private func list() -> String {
        analytics.logScreenView(screenName: "Goods")
        return Shop.goods.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    private func look(_ thing: String) -> String {
        guard let price = Shop.goods[thing] else { return "There is no \(thing)." }
        analytics.logScreenView(screenName: "Thing")
        analytics.logEvent("view_item", parameters: ["items": .items([Item(id: thing, price: price)])])
        return "\(thing): \(price) EUR"
    }

    private mutating func take(_ thing: String) -> String {
        guard let price = Shop.goods[thing] else { return "There is no \(thing)." }
        basket[thing, default: 0] += 1
        analytics.logEvent("add_to_cart", parameters: ["currency": "EUR", "value": .decimal(price), "items": .items([Item(id: thing)])])
        return "In the basket: \(basket.values.reduce(0, +))"
    }

    private mutating func pay() -> String {
        let items = basket.sorted { $0.key < $1.key }.map { Item(id: $0.key, price: Shop.goods[$0.key], quantity: $0.value) }
        let amount = basket.reduce(Decimal(0)) { $0 + (Shop.goods[$1.key] ?? 0) * Decimal($1.value) }
        guard !items.isEmpty else { return "The basket is empty." }
        analytics.logPurchase(amount: amount, currency: "EUR", items: items, transactionID: UUID().uuidString)
        basket = [:]
        return "Paid \(amount) EUR."
    }

    private func name(_ who: String, tier: String) -> String {
        analytics.setUserID(who)
        analytics.setUserProperty(.text(tier), forName: "tier")
        return "Hello, \(who)."
    }

    /// Subscribes to a topic and prints its messages. The subscription persists across launches.
    private mutating func hearOffers() async -> String {
        do {
            try await messaging.subscribe(topic: "offers")
        } catch {
            return "Subscribing to offers is pending (\(error))."
        }
        let (messages, analytics) = (messaging.messageStream(), analytics)
        offers =
            offers
            ?? Task {
                for await message in messages {
                    say("offer: " + (message.notification?.title ?? "nothing special"))
                    analytics.logEvent("notification_open", parameters: ["message_id": .text(message.id)])
                }
            }
        return "Subscribed to offers."
    }

    /// Records an error that the app handles.
    private func jam() -> String {
        crashes.setCustomValue(.integer(Int64(basket.count)), forKey: "basket")
        crashes.record(error: Trouble.paperJam)
        return "The printer is jammed. The error was recorded."
    }

    /// Logs an event with an invalid name; the verdict gives the reason.
    private func odd() -> String {
        analytics.logEvent("9 lives")
        return "Logged an event with an invalid name."
    }

    private func consent(_ isGiven: Bool) -> String {
        analytics.setCollectionEnabled(isGiven)
        return isGiven ? "Thank you." : "Collection is off. Local data was deleted."
    }
}
