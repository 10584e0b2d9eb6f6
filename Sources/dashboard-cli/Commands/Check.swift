// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Panes
import Platform
import Terminal

/// A value that `check` compares with a limit.
struct Check: Sendable {
    /// Whether the limit is a minimum or a maximum.
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
            // Never rounds across a limit.
            case .percent: "\(Unit.digits(value)) %"
            case .milliseconds: "\(Unit.digits(value)) ms"
            case .bytes: Numbers.bytes(value)
            case .yes: value == 1 ? "yes" : "no"
            }
        }

        private static func digits(_ value: Double) -> String {
            value == value.rounded() ? Numbers.grouped(value) : "\(value)"
        }

        /// Parses a limit; nil if it is invalid.
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

    /// The name in the output.
    let name: String
    let option: Option
    let side: Side
    let unit: Unit
    /// Whether the figure is that of the machine, which only the control socket shows.
    var isOfMachine = false
    /// Returns the value; nil without data.
    let measure: @Sendable (CheckMeasurements) async throws -> Double?

    static let all = [
        Check(
            name: "crash-free users", option: Option("--crash-free-min", .text("PERCENT"), "Minimum percentage of people without a crash."),
            side: .atLeast, unit: .percent
        ) { try await $0.crashFree().crashFreeUsers.map(percent) },
        Check(
            name: "crash-free sessions",
            option: Option("--crash-free-sessions-min", .text("PERCENT"), "Minimum percentage of sessions without a crash."),
            side: .atLeast, unit: .percent
        ) { try await $0.crashFree().crashFreeSessions.map(percent) },
        Check(name: "events", option: Option("--events-min", .text("N"), "Minimum number of events."), side: .atLeast, unit: .number) {
            Double(try await $0.events())
        },
        Check(
            name: "quarantined events",
            option: Option(
                "--quarantine-max-share", .text("PERCENT"), "Maximum percentage of quarantined events since the daemon started."),
            side: .atMost, unit: .percent
        ) { try await $0.system().refusedShare.map(percent) },
        Check(
            name: "dead deliveries", option: Option("--dead-deliveries-max", .text("N"), "Maximum number of dead deliveries."),
            side: .atMost, unit: .number
        ) { Double(try await $0.deadDeliveries()) },
        Check(
            name: "storage", option: Option("--storage-max", .text("SIZE"), "Maximum size of the app on the daemon's disk, such as 5GiB."),
            side: .atMost, unit: .bytes
        ) { try await $0.system().usage.map { Double($0.storageBytes) } },
        Check(name: "ready", option: Option("--ready", .none, "The daemon reports ready."), side: .atLeast, unit: .yes) {
            try await $0.system().ready ? 1 : 0
        },
        Check(
            name: "free disk",
            option: Option("--free-disk-min", .text("SIZE"), "Minimum free space of the data folder, such as 5GiB; needs --control-socket."),
            side: .atLeast, unit: .bytes, isOfMachine: true
        ) { try await $0.machine().map { Double($0.freeDiskBytes) } },
        Check(
            name: "commit p99", option: Option("--commit-p99-max", .text("MS"), "Maximum commit time (p99); needs --control-socket."),
            side: .atMost, unit: .milliseconds, isOfMachine: true
        ) { try await $0.machine()?.commitP99 },
    ]

    private static func percent(_ share: Double) -> Double { (share * 1_000_000).rounded() / 10_000 }

    /// The limit on the command line; nil if it is not checked.
    func limit(_ arguments: Arguments) throws(UsageError) -> Double? {
        guard arguments.has(option) else { return nil }
        let text = arguments.required(option)
        guard let limit = unit.value(text) else {
            throw UsageError(what: "\(option.name) cannot be «\(text)».", hint: "See `dashboard-cli check --help`.")
        }
        return limit
    }
}
