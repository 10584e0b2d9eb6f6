// SPDX-License-Identifier: Apache-2.0

import AppAdapters
import Foundation
import ShopModel
import Signalbox

/// The commands of the shop.
actor Console {
    static let help =
        "register NAME EMAIL PASSWORD · login EMAIL PASSWORD · logout · products · order PRODUCT · pay ORDER CARD · offers · online · crash · quit"

    private let backend: Backend
    private let shop: Shop
    /// Prints what changes while somebody is signed in.
    private var watching: [Task<Void, Never>] = []
    private var offers: Task<Void, Never>?

    init(_ backend: Backend) {
        (self.backend, shop) = (backend, Shop(backend))
    }

    /// Greets the user of the last launch.
    func begin() async {
        say(Self.help)
        if backend.signalbox.crashes.didCrashDuringPreviousRun { say("The shop crashed last time. The crash was reported.") }
        guard let user = shop.restore() else { return }
        say("Welcome back, \(user.name ?? user.id).")
        await watch()
    }

    func end() {
        for task in watching { task.cancel() }
        offers?.cancel()
    }

    /// Runs a command and returns the text to print.
    func answer(_ words: [String]) async -> String {
        if let verb = words.first { backend.signalbox.crashes.log(verb) }
        do {
            switch (words.first, words.count) {
            case ("register", 4): return try await register(name: words[1], email: words[2], password: words[3])
            case ("login", 3): return try await signIn(email: words[1], password: words[2])
            case ("logout", 1):
                try await shop.signOut()
                return "Signed out."
            case ("products", 1): return try await products()
            case ("order", 2): return "Ordered \(try await shop.place(words[1]).id)."
            case ("pay", 3): return try await pay(words[1], card: words[2])
            case ("offers", 1): return try await hearOffers()
            case ("online", 1):
                backend.signalbox.didBecomeActive()
                return "Connecting."
            case ("crash", 1): fatalError("The shop fell over.")
            default: return "Unknown command."
            }
        } catch {
            return "Failed: \(error)"
        }
    }

    // MARK: Account

    private func register(name: String, email: String, password: String) async throws -> String {
        let user = try await shop.register(name: name, email: email, password: password)
        await watch()
        return "Registered \(user.id)."
    }

    private func signIn(email: String, password: String) async throws -> String {
        let user = try await shop.signIn(email: email, password: password)
        await watch()
        return "Signed in as \(user.id)."
    }

    // MARK: Orders

    private func products() async throws -> String {
        let lines = try await shop.products().map { "\($0.id): \($0.name), \($0.price) \($0.currency)" }
        return lines.isEmpty ? "There are no products." : lines.joined(separator: "\n")
    }

    private func pay(_ order: String, card: String) async throws -> String {
        let receipt = try await shop.pay(order, card: card)
        return "Paid \(receipt.total) \(receipt.currency). Receipt: \(try await shop.keep(receipt))"
    }

    /// Prints orders as they change, and those that were refused. The streams end when another user signs in.
    private func watch() async {
        for task in watching { task.cancel() }
        let refused = await shop.refusedOrders()
        watching = [
            Task { [shop] in
                do {
                    var seen: [Order.ID: Order] = [:]
                    for try await orders in try await shop.orders() {
                        for order in orders where seen[order.id] != order { say(Self.text(order)) }
                        seen = Dictionary(uniqueKeysWithValues: orders.map { ($0.id, $0) })
                    }
                } catch {
                    say("Following the orders ended: \(error)")
                }
            },
            Task {
                for await failure in refused { say("Refused: \(failure.paths.joined(separator: ", ")): \(failure.error)") }
            },
        ]
    }

    private static func text(_ order: Order) -> String {
        "order \(order.id): \(order.quantity) x \(order.product), \(order.state.rawValue)\(order.isPending ? ", waits for the network" : "")"
    }

    // MARK: Offers

    private func hearOffers() async throws -> String {
        let messages = try await shop.offers()
        offers?.cancel()
        offers = Task { [shop] in
            for await offer in messages {
                say("offer: \(offer.title ?? "nothing special")")
                shop.opened(offer)
            }
        }
        return "Subscribed to offers."
    }
}
