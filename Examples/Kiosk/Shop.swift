// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// What can be done here. It knows the parts of the client as protocols, so that a test gives it those in memory.
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

    /// Ends what goes on beside the answers.
    func close() {
        offers?.cancel()
    }

    /// Does what a line says; answers what the screen shows.
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
        default: return "What?"
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

    /// From now on whoever sends to the topic is heard here, with the next start too.
    private mutating func hearOffers() async -> String {
        do {
            try await messaging.subscribe(topic: "offers")
        } catch {
            return "You will hear of offers as soon as that can be arranged (\(error))."
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
        return "You will hear of offers."
    }

    /// Something fails, and the app goes on.
    private func jam() -> String {
        crashes.setCustomValue(.integer(Int64(basket.count)), forKey: "basket")
        crashes.record(error: Trouble.paperJam)
        return "The printer is jammed; somebody will know."
    }

    /// What the daemon does not take as it is: the verdict says why.
    private func odd() -> String {
        analytics.logEvent("9 lives")
        return "Logged an event whose name may not be."
    }

    private func consent(_ isGiven: Bool) -> String {
        analytics.setCollectionEnabled(isGiven)
        return isGiven ? "Thank you." : "Nothing is told, and nothing kept."
    }
}
