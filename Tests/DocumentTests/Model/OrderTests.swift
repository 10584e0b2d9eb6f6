// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocumentModel
import Testing

@Suite struct OrderTests {
    /// Values from the first to the last; those of one line are equal in the order.
    static let ladder: [[DocumentValue]] = [
        [.null], [.bool(false)], [.bool(true)], [.double(.nan)], [.double(-.infinity)], [.double(-0x1p64)], [.integer(.min), .double(-0x1p63)],
        [.integer(.min + 1)], [.integer(-(1 << 53) - 1)], [.integer(-(1 << 53)), .double(-0x1p53)], [.double(-1.5)], [.integer(-1), .double(-1)],
        [.double(-.leastNonzeroMagnitude)], [.integer(0), .double(0), .double(-0.0)], [.double(.leastNonzeroMagnitude)], [.double(0.5)],
        [.integer(1), .double(1)],
        [.double(1.5)], [.integer(2)], [.integer((1 << 53) - 1)], [.integer(1 << 53), .double(0x1p53)], [.integer((1 << 53) + 1)],
        [.integer((1 << 53) + 2), .double(0x1p53 + 2)], [.integer((1 << 62) + 1)], [.integer((1 << 62) + 1_023)], [.integer(.max - 1)],
        [.integer(.max)], [.double(0x1p63)], [.double(.greatestFiniteMagnitude)], [.double(.infinity)],
        [.time(time(DocumentTime.range.lowerBound))], [.time(time(-1))], [.time(time(0))], [.time(time(1))],
        [.time(time(DocumentTime.range.upperBound))],
        [.text("")], [.text("\0")], [.text("\0\0")], [.text("\u{1}")], [.text("a")], [.text("a\0")], [.text("ab")], [.text("b")],
        [.text("e\u{301}")], [.text("\u{e9}")], [.text("\u{ffff}")], [.text("\u{1f600}")],
        [.bytes([])], [.bytes([0])], [.bytes([0, 0])], [.bytes([0, 1])], [.bytes([0, 255])], [.bytes([1])], [.bytes([255])], [.bytes([255, 255])],
        [reference("c/__id-3__")], [reference("c/__id7__")], [reference("c/__id10__")], [reference("c/a")], [reference("c/a/d/x")],
        [reference("c/a0")], [reference("d/a")],
        [place(-90, 0)], [place(0, -180)], [place(0, 0), place(-0.0, 0)], [place(0, 1)], [place(1, -1)],
        [.array([])], [.array([.null])], [.array([.null, .null])], [.array([.integer(1)]), .array([.double(1)])], [.array([.integer(1), .null])],
        [.array([.text("")])], [.array([.map(fields([]))])],
        [.vector([2])], [.vector([3])], [.vector([-1, 0])], [.vector([0, 0]), .vector([-0.0, 0])], [.vector([0, .infinity])],
        [.map(fields([]))], [.map(fields([("a", .null)]))], [.map(fields([("a", .null), ("b", .null)]))], [.map(fields([("a", .integer(1))]))],
        [.map(fields([("a", .map(fields([])))]))], [.map(fields([("aa", .null)]))], [.map(fields([("b", .null)]))],
    ]

    static func time(_ microseconds: Int64) -> DocumentTime { DocumentTime(microseconds: microseconds) ?? .epoch }
    static func place(_ latitude: Double, _ longitude: Double) -> DocumentValue {
        GeoPoint(latitude: latitude, longitude: longitude).map(DocumentValue.place) ?? .null
    }
    static func reference(_ path: String) -> DocumentValue { DocumentPath(path).map { .reference(DocumentReference($0)) } ?? .null }
    static func fields(_ pairs: [(ExactName, DocumentValue)]) -> DocumentFields { DocumentFields(pairs.map { .init($0, $1) }) ?? .init() }

    @Test func `values are ordered by type and value`() {
        for (a, first) in Self.ladder.enumerated() {
            for (b, second) in Self.ladder.enumerated() {
                for x in first {
                    for y in second { #expect(x.order(y) == (a < b ? .before : a > b ? .after : .same), "\(x) and \(y)") }
                }
            }
        }
    }

    @Test(arguments: [false, true]) func `keys are ordered as their values`(descending: Bool) {
        for (a, first) in Self.ladder.enumerated() {
            for (b, second) in Self.ladder.enumerated() {
                for x in first {
                    for y in second {
                        let (before, after) = (Self.key(x, descending), Self.key(y, descending))
                        let isBefore = descending ? a > b : a < b
                        #expect((before == after) == (a == b), "\(x) and \(y)")
                        #expect(a == b || before.lexicographicallyPrecedes(after) == isBefore, "\(x) and \(y)")
                    }
                }
            }
        }
    }

    /// A key with something behind it, as entries have the document's name.
    private static func key(_ value: DocumentValue, _ descending: Bool) -> [UInt8] {
        var key = OrderedKey()
        key.append(value, descending: descending)
        key.append(.text("name"))
        return key.bytes
    }

    /// The number of pairs of random values; `SIGNALBOX_DOCUMENT_PAIRS` makes the run longer.
    private static let pairs = ProcessInfo.processInfo.environment["SIGNALBOX_DOCUMENT_PAIRS"].flatMap(Int.init) ?? 80_000

    @Test(arguments: 0..<4) func `keys of random values are ordered as the values`(seed: UInt64) {
        var random = RandomValues(seed: seed)
        for pair in 0..<Self.pairs / 4 {
            let (a, b) = (random.value(), random.value())
            let (first, second) = (Self.key(a, false), Self.key(b, false))
            let ordering: Ordering = first == second ? .same : first.lexicographicallyPrecedes(second) ? .before : .after
            if a.order(b) != ordering { Issue.record("pair \(pair) of seed \(seed): \(a) and \(b)") }
        }
    }

    @Test func `texts that may share a key have a cut one`() {
        let keys = [1_499, 1_500, 1_501].map { count in
            var key = OrderedKey()
            key.append(.text(ExactName(String(repeating: "a", count: count))))
            return key
        }
        #expect(keys.map(\.isCut) == [false, true, true])
        #expect(keys[1].bytes == keys[2].bytes && keys[0].bytes != keys[1].bytes)
    }
}

/// Random values that are often close to each other.
struct RandomValues {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func value(depth: Int = 0) -> DocumentValue {
        switch next(depth > 2 ? 8 : 11) {
        case 0: return .bool(next(2) == 0)
        case 1: return .integer(Int64(next(7) - 3) &+ [0, 1 << 53, -(1 << 53), .max, .min, 1 << 60][next(6)])
        case 2: return .double([0.5, 0x1p53, -0x1p53, 0x1p63, -0x1p63, 0x1p60, .nan, .infinity][next(8)] * Double(next(3)))
        case 3: return .time(OrderTests.time(Int64(next(3_000_000) - 1_500_000)))
        case 4: return .text(ExactName(String(decoding: bytes().map { $0 & 0x7F }, as: UTF8.self)))
        case 5: return .bytes(bytes())
        case 6: return OrderTests.reference(["c/a", "c/b", "c/__id7__", "c/__id70__", "c/a/d/e", "c/a\u{1}"][next(6)])
        case 7: return .null
        case 8: return .array((0..<next(3)).map { _ in value(depth: depth + 1) })
        case 9: return .vector((0...next(3)).map { _ in [0, -0.0, 1.5, -1, .nan][next(5)] })
        default:
            return .map(
                OrderTests.fields([("a", value(depth: depth + 1)), ("a\0", .null), ("b", value(depth: depth + 1))].filter { _ in next(2) == 0 }))
        }
    }

    private mutating func bytes() -> [UInt8] { (0..<next(4)).map { _ in [0, 1, 2, 255, 97][next(5)] } }
}
