// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct IssueListTests {
    /// Makes issues 0 to 9 in order of time, with `3 × number % 10 + 1` reports of up to `number % 4 + 1` people.
    private static func fill(_ world: CrashWorld) async throws {
        for number in 0..<10 {
            world.clock.advance(by: .minutes(1))
            let reports = (0..<(3 * number % 10 + 1)).map { report in
                world.report(
                    "\(number)-\(report)", kind: number % 2 == 0 ? .fatal : .nonfatal, user: "u\(report % (number % 4 + 1))",
                    release: number < 5 ? "1.0" : "2.0")
            }
            try await world.take(reports, CrashWorld.group("Issue \(number)"))
        }
    }

    @Test(arguments: IssueQuery.Order.allCases, [1, 3, 10])
    func `pages contain every issue once in order`(order: IssueQuery.Order, limit: Int) async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            var query = IssueQuery(app: CrashWorld.app)
            (query.order, query.limit) = (order, limit)
            var items: [IssueSummary] = []
            repeat {
                let page = try await world.crashes.issues(query)
                items += page.items
                query.after = page.next
            } while query.after != nil && items.count < 20
            #expect(Set(items.map(\.id)).count == 10 && items.count == 10)
            let values = items.map { item in
                switch order {
                case .lastSeen: Int(item.lastSeen.milliseconds)
                case .firstSeen: Int(item.firstSeen.milliseconds)
                case .count: item.count
                case .users: item.users
                }
            }
            #expect(values == values.sorted(by: >))
        }
    }

    @Test func `filters are combined`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            func titles(_ change: (inout IssueQuery) -> Void) async throws -> [Int] {
                try await world.issues(change).compactMap { Int($0.title.dropFirst(6)) }
            }
            #expect(try await titles { $0.kinds = [.nonfatal] } == [9, 7, 5, 3, 1])
            #expect(
                try await titles {
                    $0.kinds = [.nonfatal, .fatal]; $0.release = "2.0"
                } == [9, 8, 7, 6, 5])
            #expect(try await titles { $0.release = "3.0" } == [])
            #expect(try await titles { $0.text = "ISSUE 7" } == [7])
            #expect(try await titles { $0.text = "%" } == [])
            #expect(try await titles { $0.states = [.closed, .muted] } == [])
            #expect(
                try await titles {
                    $0.states = [.open]; $0.seenSince = world.clock.now - .minutes(1)
                } == [9, 8])
            #expect(try await titles { $0.app = AppID(rawValue: 2) } == [])
        }
    }

    @Test func `an issue's reports are listed newest first across groupings`() async throws {
        try await CrashWorld.run { world in
            var order = Array(0..<40)
            var generator = SeededGenerator(7)
            order.shuffle(using: &generator)
            for number in order {
                let report = world.report("\(number)", at: world.clock.now - .minutes(Int64(number / 2)))
                try await world.take([report], CrashWorld.group("x", stack: "\(number % 3)"))
            }
            let id = try await world.issue("x").id
            var found: [StoredCrash] = []
            repeat {
                let place = found.last.map { ($0.time, $0.row) }
                let page = try await world.crashes.events(of: id, app: CrashWorld.app, .page(after: place, limit: 7))
                found += page
                if page.count < 7 { break }
            } while found.count < 100
            #expect(found.count == 40 && Set(found.map(\.id)).count == 40)
            #expect(found.map(\.time) == found.map(\.time).sorted(by: >))
            let first = found[0]
            let same = try await world.crashes.events(of: id, app: CrashWorld.app, .page(grouping: first.grouping, limit: 100))
            #expect((13...14).contains(same.count) && same.allSatisfy { $0.grouping == first.grouping })
        }
    }
}
