// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite
import TestSupport

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// A running store with the sales of an app.
struct SalesWorld: Sendable {
    let store: Stores
    let clock: ManualClock
    static let app = AppID(rawValue: 1)
    static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)

    func take(_ step: SalesStep, _ list: inout SalesList) async throws {
        switch step {
        case .sales(let sales): try await take(sales, &list)
        case .wait(let span):
            clock.advance(by: span)
            try await store.events.turn()
        case .anonymise(let user):
            _ = try await store.anonymise(PersonID(.user, user), of: SalesWorld.app)
            list.anonymise(user)
        case .erase(let user, let sales):
            async let erased = store.erase(PersonID(.user, user), of: SalesWorld.app)
            var later = list
            try await take(sales, &later)
            _ = try await erased
            later.erase(user)
            list = later
        case .check:
            for difference in try await differences(from: list) { throw Refusal(.internalError, difference) }
        }
    }

    private func take(_ sales: [Sale], _ list: inout SalesList) async throws {
        let named = sales.map { sale in
            var sale = sale
            sale.id = list.nextID()
            return sale
        }
        let new = named.count { list.take($0) }
        let accepted = try await submit(named).accepted
        if accepted != new { throw Refusal(.internalError, "\(accepted) of \(sales.count) sales were accepted, not \(new): \(sales)") }
    }

    func submit(_ sales: [Sale]) async throws -> EventOutcome {
        var request = SubmissionBuilder(store: store, received: clock.now)
        for (place, sale) in sales.enumerated() {
            request.add(
                sale.name, id: sale.id.isEmpty ? "\(clock.now.milliseconds) \(place) \(sale.isTrusted)" : sale.id, time: clock.now - sale.age,
                user: sale.user, typed: .sale(transaction: sale.transaction, amount: sale.amount * 1_000_000, currency: "EUR")
            ) { if sale.isTrusted { $0.flags.insert(.trusted) } }
        }
        return try await store.events.submit(request.submission())
    }

    // MARK: Results

    /// Compares revenue from counters and from rows, counts of events, and the export.
    func differences(from list: SalesList) async throws -> [String] {
        var found: [String] = []
        let gross = list.counting.filter { $0.name != "refund" }.reduce(0) { $0 + $1.amount }
        let expected = list.counting.isEmpty ? [:] : ["EUR": gross]
        for filter in [nil, "name!=a"] {
            let revenue = try await revenue(filter: filter)
            if revenue != expected { found.append("revenue with filter \(filter ?? "none") is \(revenue), not \(expected)") }
        }
        for name in ["purchase", "in_app_purchase", "refund"] {
            let count = list.counting.count { $0.name == name }
            let counted = try await [nil, "name!=a"].asyncMap { try await events(name, filter: $0) }
            if counted != [count, count] { found.append("\(counted) events \(name), not \(count)") }
        }
        let withdrawn = Set(list.rows.filter(\.isWithdrawn).map(\.sale.id))
        let flagged = try await flagged()
        if flagged != withdrawn { found.append("\(flagged.sorted()) are flagged, not \(withdrawn.sorted())") }
        return found
    }

    private func parameters(_ more: [(name: String, value: String)], to end: Timestamp? = nil) -> QueryParameters {
        let range = [("from", (SalesWorld.start - .days(9)).rfc3339), ("to", (end ?? clock.now + .days(1)).rfc3339)]
        return QueryParameters(range + more, settings: AppSettings(), now: clock.now)
    }

    /// The gross revenue by currency, until tomorrow if no end is given.
    func revenue(filter: String?, to end: Timestamp? = nil) async throws -> [String: Int64] {
        let query = try RevenueQuery(parameters(filter.map { [("filter", $0)] } ?? [], to: end))
        let result = try await store.analytics.run(SalesWorld.app, mayReadRows: true) { try $0.revenue(query) }.body
        return Dictionary(uniqueKeysWithValues: result.currencies.map { ($0.currency, $0.gross.millionths / 1_000_000) })
    }

    private func events(_ name: String, filter: String?) async throws -> Int {
        let query = try SeriesQuery(parameters([("event", name)] + (filter.map { [("filter", $0)] } ?? [])))
        guard case .series(let result) = try await store.result(of: .series(query), app: SalesWorld.app),
            case .count(let total)? = result.body.series.first?.total
        else { return -1 }
        return Int(total)
    }

    /// The IDs of exported events with the flag `withdrawn`.
    func flagged() async throws -> Set<String> {
        let page = try await store.events.events(app: SalesWorld.app, after: 0, from: nil, to: nil, limit: 10_000)
        return Set(page.events.filter { $0.flags.contains(.withdrawn) }.map(\.id))
    }

    /// Brings today's file into the form of version 0.1, which stored one key for a transaction.
    static func age(_ store: Stores, _ transaction: String) throws {
        let file = try Connection(store.paths.file(of: Day(of: start)), .write)
        try file.execute(
            """
            DROP INDEX purchases_by_transaction; DROP TABLE withdrawn; DROP TABLE transactions_by_app; PRAGMA user_version = 3;
            DELETE FROM seen WHERE kind = 1
            """)
        let key = store.events.hash(.transaction, app: app, Array(transaction.utf8).span)
        try file.statement("INSERT INTO seen (kind, keys) VALUES (1, ?)").run(.words([key]))
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var all: [T] = []
        for element in self { all.append(try await body(element)) }
        return all
    }
}
