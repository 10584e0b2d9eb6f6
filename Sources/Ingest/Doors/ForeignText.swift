import JSON
import Platform

/// JSON as other products' SDKs write it.
///
/// One value that is no JSON would cost all the others of its batch, for their clients drop what is refused. What their languages write and JSON
/// does not know is read as null: `NaN`, `Infinity`, and what is nested too deeply.
enum ForeignText {
    /// Two less than our own bodies may have, into which the values are put.
    static let limits = JSONLimits(depth: JSONLimits.deepest - 2)

    static func tape(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONFailure) {
            return try tape(body, in: 0..<body.count, json)
        } catch {
            throw Refusal(error)
        }
    }

    /// The same of a part of a body.
    static func tape(_ body: [UInt8], in range: Range<Int>, _ json: JSONReader) throws(JSONFailure) -> JSONTape {
        do throws(JSONFailure) {
            return try json.parse(body, in: range, limits: limits)
        } catch {
            guard isMendable(error.reason), let mended = mended(Array(body[range])) else { throw error.counted(from: range.lowerBound) }
            return try json.parse(mended, limits: limits)
        }
    }

    private static func isMendable(_ reason: JSONFailure.Reason) -> Bool {
        switch reason {
        case .badLiteral, .badNumber, .unexpected, .tooDeep: true
        default: false
        }
    }

    private static func mended(_ body: [UInt8]) -> [UInt8]? {
        var mending = Mending(body, depth: limits.depth)
        return mending.run()
    }
}

/// Copies a body byte for byte, but for what is to become null.
private struct Mending {
    private let body: [UInt8]
    private let deepest: Int
    private var out: [UInt8] = []
    private var at = 0
    private var depth = 0
    private var isChanged = false

    private static let null = Array("null".utf8)
    private static let words = ["NaN", "Infinity", "-Infinity", "-NaN"].map { Array($0.utf8) }

    init(_ body: [UInt8], depth: Int) {
        (self.body, deepest) = (body, depth)
        out.reserveCapacity(body.count)
    }

    /// The body with null for what JSON does not know; nil where there is nothing of the kind.
    mutating func run() -> [UInt8]? {
        while at < body.count {
            switch body[at] {
            case UInt8(ascii: "\""): copyText()
            case UInt8(ascii: "["), UInt8(ascii: "{"): open()
            case UInt8(ascii: "]"), UInt8(ascii: "}"): copy(at + 1, closing: true)
            default: if let word = word() { replace(word) } else { copy(at + 1) }
            }
        }
        return isChanged && depth == 0 ? out : nil
    }

    /// What is too deep has been written as null already.
    private mutating func copy(_ end: Int, closing: Bool = false) {
        if depth <= deepest { out.append(contentsOf: body[at..<end]) }
        if closing { depth -= 1 }
        at = end
    }

    private mutating func open() {
        depth += 1
        if depth == deepest + 1 {
            out += Mending.null
            isChanged = true
        }
        copy(at + 1)
    }

    private mutating func copyText() {
        var end = at + 1
        while end < body.count, body[end] != UInt8(ascii: "\"") { end += body[end] == UInt8(ascii: "\\") ? 2 : 1 }
        copy(min(end + 1, body.count))
    }

    /// The word for no number that begins here.
    private func word() -> [UInt8]? {
        guard [UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "-")].contains(body[at]) else { return nil }
        return Mending.words.first { body[at...].starts(with: $0) }
    }

    private mutating func replace(_ word: [UInt8]) {
        if depth <= deepest { out += Mending.null }
        at += word.count
        isChanged = true
    }
}
