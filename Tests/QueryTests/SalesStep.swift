// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A purchase or refund of one user, in EUR.
struct Sale: Sendable {
    var id = ""
    var name = "purchase"
    var user: String
    var transaction: String?
    var amount: Int64
    var isTrusted = false
    /// How long ago it happened.
    var age = Timestamp.Span.seconds(0)
}

/// A step of a random scenario.
enum SalesStep: Sendable {
    case sales([Sale])
    case wait(Timestamp.Span)
    case anonymise(String)
    /// An erasure during which trusted purchases arrive.
    case erase(String, meanwhile: [Sale])
    case check

    private static let users = ["ann", "bob", "cyd"]

    static func some(_ random: inout SeededGenerator) -> [SalesStep] {
        (0..<Int.random(in: 10...40, using: &random)).map { _ in
            switch Int.random(in: 0..<20, using: &random) {
            case 0: .erase(users.randomElement(using: &random) ?? "", meanwhile: (0..<3).map { _ in Sale(shop: &random) })
            case 1: .anonymise(users.randomElement(using: &random) ?? "")
            case 2, 3: .wait(.hours(Int64.random(in: 1...30, using: &random)))
            case 4: .check
            default: .sales((0..<Int.random(in: 1...5, using: &random)).map { _ in Sale(&random) })
            }
        }
    }

    fileprivate static func user(_ random: inout SeededGenerator) -> String { users.randomElement(using: &random) ?? "" }
}

extension Sale {
    fileprivate init(shop random: inout SeededGenerator) {
        self.init(&random)
        (user, name, isTrusted) = ("shop", "purchase", true)
    }

    fileprivate init(_ random: inout SeededGenerator) {
        let isTrusted = Int.random(in: 0..<5, using: &random) == 0
        self.init(
            name: ["purchase", "purchase", "in_app_purchase", "refund"].randomElement(using: &random) ?? "",
            user: isTrusted && Bool.random(using: &random) ? "shop" : SalesStep.user(&random),
            transaction: Int.random(in: 0..<5, using: &random) == 0 ? nil : "t\(Int.random(in: 0..<9, using: &random))",
            amount: Int64.random(in: 0..<100, using: &random), isTrusted: isTrusted,
            age: Bool.random(using: &random) ? .seconds(0) : .hours(Int64.random(in: 0..<100, using: &random)))
    }
}
