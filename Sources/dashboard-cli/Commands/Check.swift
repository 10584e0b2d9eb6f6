// SPDX-License-Identifier: Apache-2.0

import Events
import Panes
import Platform
import Terminal

/// Something `check` can be told a limit for.
struct Check: Sendable {
    /// On which side of its limit all is well.
    enum Side: Sendable {
        case atLeast, atMost

        func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .atLeast: value >= limit
            case .atMost: value <= limit
            }
        }
    }

    enum Unit: Sendable {
        case number, percent, milliseconds, bytes, yes

        func text(_ value: Double) -> String {
            switch self {
            case .number: Numbers.grouped(value)
            // Never rounded to the other side of a limit.
            case .percent: "\(Unit.digits(value)) %"
            case .milliseconds: "\(Unit.digits(value)) ms"
            case .bytes: Numbers.bytes(value)
            case .yes: value == 1 ? "yes" : "no"
            }
        }

        private static func digits(_ value: Double) -> String {
            value == value.rounded() ? Numbers.grouped(value) : "\(value)"
        }

        /// What somebody typed; nil where it is none of it.
        func value(_ text: String) -> Double? {
            let number = text.allSatisfy { $0.isNumber || $0 == "." } ? Double(text) : nil
            return switch self {
            case .number, .milliseconds: number
            case .percent: number.flatMap { $0 <= 100 ? $0 : nil }
            case .bytes: number ?? Quantity.size(text).map(Double.init)
            case .yes: 1
            }
        }
    }

    /// As people call it.
    let name: String
    let option: Option
    let side: Side
    let unit: Unit
    /// Nil where there is nothing to judge.
    let measure: @Sendable (CheckMeasurements) async throws -> Double?

    static let all = [
        Check(
            name: "crash-free people", option: Option("--crash-free-min", .text("PERCENT"), "At least so many per cent of the people met no crash."),
            side: .atLeast, unit: .percent
        ) { try await $0.crashFree().crashFreeUsers.map(percent) },
        Check(
            name: "crash-free sessions",
            option: Option("--crash-free-sessions-min", .text("PERCENT"), "In at least so many per cent of the sessions nothing crashed."),
            side: .atLeast, unit: .percent
        ) { try await $0.crashFree().crashFreeSessions.map(percent) },
        Check(name: "events", option: Option("--events-min", .text("N"), "At least so many events happened."), side: .atLeast, unit: .number) {
            Double(try await $0.events())
        },
        Check(
            name: "refused events",
            option: Option(
                "--quarantine-max-share", .text("PERCENT"), "At most so many per cent of all events since the daemon started were refused."),
            side: .atMost, unit: .percent
        ) { try await $0.system().refusedShare.map(percent) },
        Check(
            name: "dead deliveries", option: Option("--dead-deliveries-max", .text("N"), "At most so many deliveries were given up."),
            side: .atMost, unit: .number
        ) { Double(try await $0.deadDeliveries()) },
        Check(
            name: "free disk", option: Option("--free-disk-min", .text("SIZE"), "At least so much is free where the data is, as in 5GiB."),
            side: .atLeast, unit: .bytes
        ) { try await $0.system().freeDiskBytes },
        Check(
            name: "commit p99", option: Option("--commit-p99-max", .text("MS"), "99 of 100 commits took at most so long."), side: .atMost,
            unit: .milliseconds
        ) { try await $0.system().commitP99 },
        Check(name: "ready", option: Option("--ready", .none, "The daemon says that it is ready."), side: .atLeast, unit: .yes) {
            try await $0.system().ready ? 1 : 0
        },
    ]

    private static func percent(_ share: Double) -> Double { (share * 1_000_000).rounded() / 10_000 }

    /// The limit that was typed; nil where this is not to be checked.
    func limit(_ arguments: Arguments) throws(WrongUsage) -> Double? {
        guard arguments.has(option) else { return nil }
        let text = arguments.required(option)
        guard let limit = unit.value(text) else {
            throw WrongUsage(what: "\(option.name) cannot be «\(text)».", hint: "See `dashboard-cli check --help`.")
        }
        return limit
    }
}
