// SPDX-License-Identifier: Apache-2.0

/// Growers derived from an input of a corpus: they repeat its members, elements, lines and ranges, alone and in pairs.
///
/// Example: from `{"a":[1]}` come `{"a":[1,1,1]}` and `{"a":[1],"a":[1],"a":[1]}` for 2. The same input always gives the same growers.
package struct Mutations {
    private let input: [UInt8]
    private var random: GrowerRandom

    package init(of input: [UInt8], seed: UInt64) {
        self.input = input
        random = GrowerRandom(state: seed)
    }

    /// Returns at most `limit` growers of each of four kinds.
    package mutating func growers(target: String, name: String, limit: Int) -> [Grower] {
        let values = chosen(JSONUnits.find(in: input), limit)
        let lines = chosen(self.lines, limit)
        let stretches = (0..<(input.isEmpty ? 0 : limit)).map { _ in stretch() }
        let all = values + lines + stretches
        let pairs = all.isEmpty ? [] : (0..<limit).map { _ in (random.element(of: all), random.element(of: all)) }
        let input = input
        return all.map { unit in
            Grower(target, "\(name): \(unit.name) repeated", isAccepted: false) { Repetition.applied(to: input, [unit], $0) }
        }
            + pairs.map { one, other in
                Grower(target, "\(name): \(one.name) and \(other.name) repeated", isAccepted: false) {
                    Repetition.applied(to: input, [one, other], $0)
                }
            }
    }

    private mutating func chosen(_ units: [Repetition], _ limit: Int) -> [Repetition] {
        guard units.count > limit else { return units }
        return (0..<limit).map { _ in random.element(of: units) }
    }

    private var lines: [Repetition] {
        let ends = input.indices.filter { input[$0] == 0x0a }
        return zip([0] + ends.map { $0 + 1 }, ends).map { Repetition(kind: "line", range: $0..<$1 + 1, separator: []) }
    }

    private mutating func stretch() -> Repetition {
        let start = Int(random.next() % UInt64(input.count))
        let count = 1 + Int(random.next() % 24)
        return Repetition(kind: "stretch", range: start..<min(input.count, start + count), separator: [])
    }
}

/// A part of an input and the separator of its copies.
struct Repetition: Sendable {
    var kind: String
    var range: Range<Int>
    var separator: [UInt8]
    /// The position of the copy's number, which makes names and texts differ.
    var number: Int?

    var name: String { "\(kind) \(range.lowerBound)..<\(range.upperBound)\(number == nil ? "" : " numbered")" }

    static func applied(to input: [UInt8], _ units: [Repetition], _ n: Int) -> [UInt8] {
        var out: [UInt8] = []
        var place = 0
        for unit in units.sorted(by: { $0.range.upperBound < $1.range.upperBound }) {
            out += input[place..<unit.range.upperBound]
            place = unit.range.upperBound
            for number in 0..<n { unit.append(number, of: input, to: &out) }
        }
        return out + input[place...]
    }

    private func append(_ copy: Int, of input: [UInt8], to out: inout [UInt8]) {
        out += separator
        guard let number else {
            out += input[range]
            return
        }
        out += input[range.lowerBound..<number]
        out += String(copy).utf8
        out += input[number..<range.upperBound]
    }
}

/// The members and elements of JSON inside any text, even if the whole is not JSON.
enum JSONUnits {
    static func find(in input: [UInt8]) -> [Repetition] {
        var units: [Repetition] = []
        var open: [(start: Int, firstQuote: Int?)] = []
        var start = 0, place = 0
        var quote: Int?
        while place < input.count {
            switch input[place] {
            case UInt8(ascii: "\""):
                quote = quote ?? place + 1
                place = end(ofString: place, input)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append((start, quote))
                (start, quote) = (place + 1, nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                add(start..<place, quote, &units)
                if let last = open.popLast() { (start, quote) = (last.start, last.firstQuote) }
            case UInt8(ascii: ","):
                add(start..<place, quote, &units)
                (start, quote) = (place + 1, nil)
            default: break
            }
            place += 1
        }
        return units
    }

    private static func add(_ range: Range<Int>, _ quote: Int?, _ units: inout [Repetition]) {
        guard !range.isEmpty else { return }
        units.append(Repetition(kind: "value", range: range, separator: [0x2c]))
        if let quote { units.append(Repetition(kind: "value", range: range, separator: [0x2c], number: quote)) }
    }

    private static func end(ofString start: Int, _ input: [UInt8]) -> Int {
        var place = start + 1
        while place < input.count, input[place] != UInt8(ascii: "\"") { place += input[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place, input.count - 1)
    }
}

/// Pseudorandom numbers from a seed.
struct GrowerRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func element<T>(of list: [T]) -> T { list[Int(next() % UInt64(list.count))] }
}
