// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Checks of Swift that fail, each in two functions of the app. In a release build the compiler inlines the check into them.
///
///     trap index cart      Cart.item
///     trap index order     Order.line
enum Trap {
    /// A number that the compiler does not know.
    private static let beyond = CommandLine.arguments.count + 90

    static func meet(_ check: String, in place: String) {
        let (cart, order) = (Cart(prices: [1, 2, 3]), Order(lines: ["tea", "mug"]))
        switch (check, place) {
        case ("index", "cart"): print(cart.price(at: beyond))
        case ("index", _): print(order.line(beyond))
        case ("unwrap", "cart"): print(cart.voucher("none \(beyond)"))
        case ("unwrap", _): print(order.address("none \(beyond)"))
        case ("overflow", "cart"): print(cart.total(times: Int.max - beyond))
        case ("overflow", _): print(order.weight(Int8(beyond & 0x7f)))
        case ("cast", "cart"): print(cart.payment(beyond))
        case ("cast", _): print(order.receipt(beyond))
        case ("precondition", "cart"): cart.close(beyond)
        case ("precondition", _): order.ship(beyond)
        case ("isolation", "cart"): offMain { cart.show() }
        case ("isolation", _): offMain { order.show() }
        default: exit(2)
        }
    }

    private static func offMain(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread(body)
        while true { pause() }
    }
}

private struct Cart {
    var prices: [Int]

    @inline(never) func price(at index: Int) -> Int { prices[index] }
    // swift-format-ignore: NeverForceUnwrap
    @inline(never) func voucher(_ text: String) -> Int { Int(text)! }
    @inline(never) func total(times: Int) -> Int { prices.reduce(0, +) * times }
    // swift-format-ignore: NeverForceUnwrap
    @inline(never) func payment(_ value: Any) -> String { value as! String }
    @inline(never) func close(_ count: Int) { precondition(count < prices.count, "the cart is closed") }
    @inline(never) func show() { MainActor.assumeIsolated { print(prices) } }
}

private struct Order {
    var lines: [String]

    @inline(never) func line(_ index: Int) -> String { lines[index] }
    // swift-format-ignore: NeverForceUnwrap
    @inline(never) func address(_ text: String) -> URL { URL(string: text.isEmpty ? "a" : "http://[\(text)")! }
    @inline(never) func weight(_ grams: Int8) -> Int8 { grams &+ 1 + Int8.max - Int8(lines.count) }
    // swift-format-ignore: NeverForceUnwrap
    @inline(never) func receipt(_ value: Any) -> [String] { value as! [String] }
    @inline(never) func ship(_ count: Int) { precondition(count == lines.count, "the order is not packed") }
    @inline(never) func show() { MainActor.assumeIsolated { print(lines) } }
}
