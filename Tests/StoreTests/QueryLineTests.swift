// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Database

/// The order of queries that wait for a place, and how many of them may.
@Suite struct QueryLineTests {
    private static let (ours, theirs) = (AppID(rawValue: 1), AppID(rawValue: 2))
    private static let (ann, bob) = (QueryCaller(ours, client: 1), QueryCaller(ours, client: 2))
    private static let eve = QueryCaller(theirs, client: 1)

    private static func line(limit: Int = 256, _ queries: [(String, QueryCaller?)] = []) -> QueryLine<String> {
        var line = QueryLine<String>(limit: limit)
        for (query, caller) in queries { line.add(query, of: caller) }
        return line
    }

    /// Adds queries of a caller while there is room. Returns their number.
    private static func fill(_ line: inout QueryLine<String>, _ caller: QueryCaller?) -> Int {
        var count = 0
        while line.hasRoom(for: caller) {
            line.add("", of: caller)
            count += 1
        }
        return count
    }

    @Test func `apps have turns, and clients within an app`() {
        var line = Self.line([("a1", Self.ann), ("a2", Self.ann), ("a3", Self.ann), ("b1", Self.bob), ("e1", Self.eve), ("e2", Self.eve)])
        #expect(line.takeAll() == ["a1", "e1", "b1", "e2", "a2", "a3"])
        #expect(line.count == 0)
        #expect(line.next() == nil)
    }

    @Test(arguments: [QueryLineTests.bob, QueryLineTests.eve])
    func `one who sends a query at a time is the next each time`(other: QueryCaller) {
        var line = Self.line((1...4).map { ("a\($0)", Self.ann) })
        var order = [line.next()]
        for number in 1...3 {
            line.add("b\(number)", of: other)
            order += [line.next(), line.next()]
        }
        #expect(order == ["a1", "b1", "a2", "b2", "a3", "b3", "a4"])
    }

    @Test(arguments: [QueryLineTests.bob, QueryLineTests.eve])
    func `one who sends a query while the last one runs has every second turn`(other: QueryCaller) {
        var line = Self.line((1...4).map { ("a\($0)", Self.ann) })
        var order = [line.next()]
        line.add("b1", of: other)
        order.append(line.next())
        for number in 2...4 {
            line.add("b\(number)", of: other)
            order += [line.next(), line.next()]
        }
        #expect(order == ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"])
    }

    @Test func `queries without a caller keep their order and may fill the line`() {
        var line = Self.line(limit: 3, [("1", nil), ("2", nil)])
        #expect(line.hasRoom(for: nil))
        line.add("3", of: nil)
        #expect(!line.hasRoom(for: nil) && !line.hasRoom(for: Self.ann))
        #expect(line.takeAll() == ["1", "2", "3"])
    }

    @Test func `neither a client nor an app fills the line alone`() {
        var line = Self.line()
        #expect(Self.fill(&line, Self.ann) == 86)
        #expect(Self.fill(&line, Self.bob) == 28)
        for client in 3...100 { _ = Self.fill(&line, QueryCaller(Self.ours, client: client)) }
        #expect(line.count == 128)
        #expect(Self.fill(&line, Self.eve) == 43)
        // Places that become free are for those with few.
        _ = line.next()
        #expect(!line.hasRoom(for: Self.ann) && !line.hasRoom(for: Self.eve))
        #expect(line.hasRoom(for: QueryCaller(AppID(rawValue: 3), client: 1)))
    }

    private struct Sent {
        let caller: QueryCaller
        let number: Int
    }

    @Test func `random queries are each taken once, those of a client in order, also while others leave`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var line = QueryLine<Sent>(limit: .max)
            var (added, taken, left) = (0, [Sent](), [Sent]())
            for _ in 0..<300 {
                let step = Int.random(in: 0..<6, using: &random)
                if step == 0 {
                    let caller = QueryCaller(AppID(rawValue: Int64.random(in: 1...3, using: &random)), client: Int.random(in: 0..<5, using: &random))
                    let oldest = Int.random(in: 0...added, using: &random)
                    if let one = line.remove(of: caller, where: { $0.number >= oldest }) {
                        #expect(one.caller == caller && one.number >= oldest)
                        left.append(one)
                    }
                } else if step > 2 {
                    added += 1
                    let app = AppID(rawValue: Int64.random(in: 1...3, using: &random))
                    let caller = QueryCaller(app, client: Int.random(in: 0..<5, using: &random))
                    line.add(Sent(caller: caller, number: added), of: caller)
                } else if let next = line.next() {
                    taken.append(next)
                }
                #expect(line.count == added - taken.count - left.count)
            }
            taken += line.takeAll()
            #expect((taken + left).map(\.number).sorted() == Array(1...added))
            for ofCaller in Dictionary(grouping: taken, by: \.caller).values {
                #expect(ofCaller.map(\.number) == ofCaller.map(\.number).sorted())
            }
        }
    }
}
