// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// JSON as other products' SDKs write it.
///
/// One value that is no JSON would cost all the others of its batch, for their clients drop what is refused. What their languages write and JSON
/// does not know is read as null: `NaN`, `Infinity`, and what is nested too deeply.
enum ForeignText {
    /// Two less than our own bodies may have, into which the values are put.
    static let limits = JSONLimits(depth: JSONLimits.deepest - 2, stepsPerToken: JSONLimits.allowedStepsPerToken)

    static func tape(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONFailure) {
            return try tape(body, in: 0..<body.count, json)
        } catch {
            throw Refusal(error)
        }
    }

    /// The same of a part of a body.
    static func tape(
        _ body: [UInt8], in range: Range<Int>, _ json: JSONReader, limits: JSONLimits = ForeignText.limits
    ) throws(JSONFailure) -> JSONTape {
        do throws(JSONFailure) {
            return try json.parse(body, in: range, limits: limits)
        } catch {
            guard isMendable(error.reason), let mended = mended(body, in: range) else { throw error.counted(from: range.lowerBound) }
            return try json.parse(mended, limits: limits)
        }
    }

    private static func isMendable(_ reason: JSONFailure.Reason) -> Bool {
        switch reason {
        case .badLiteral, .badNumber, .unexpected, .tooDeep: true
        default: false
        }
    }

    private static func mended(_ body: [UInt8], in range: Range<Int>) -> [UInt8]? {
        var mending = Mending(body, in: range, depth: limits.depth)
        return mending.run()
    }
}

/// Copies a body with null for what JSON does not know: `{"a":NaN}` becomes `{"a":null}`.
///
/// One pass over the bytes. What stays is copied in long pieces, so a body of which little is replaced is copied at once.
private struct Mending {
    private let body: [UInt8]
    private let range: Range<Int>
    private let deepest: Int
    private var out: [UInt8] = []
    /// Where the piece begins that is not copied yet.
    private var pending: Int
    private var isChanged = false

    init(_ body: [UInt8], in range: Range<Int>, depth: Int) {
        (self.body, self.range, deepest) = (body, range, depth)
        pending = range.lowerBound
    }

    /// The mended body; nil where there is nothing to replace.
    mutating func run() -> [UInt8]? {
        let body = body
        let text = body.span.extracting(..<range.upperBound)
        var at = range.lowerBound
        var depth = 0
        while at < text.count {
            let place = at
            at += 1
            switch text[place] {
            case UInt8(ascii: "\""): at = Mending.stringEnd(in: text, from: at)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == deepest + 1 { replace(from: place) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                // What was too deep has been written as null already.
                if depth == deepest { pending = at }
            case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "-"):
                let length = Mending.wordLength(in: text, at: place)
                guard length > 0 else { break }
                at = place + length
                if depth <= deepest { replace(from: place) } else { isChanged = true }
                pending = at
            default: break
            }
        }
        guard isChanged, depth == 0 else { return nil }
        out.append(contentsOf: body[pending..<range.upperBound])
        return out
    }

    /// Copies the piece before `place` and writes null behind it.
    private mutating func replace(from place: Int) {
        if out.isEmpty { out.reserveCapacity(range.count) }
        // A short piece costs less byte by byte than as a slice.
        if place - pending < 16 {
            for at in pending..<place { out.append(body[at]) }
        } else {
            out.append(contentsOf: body[pending..<place])
        }
        for byte in "null".utf8 { out.append(byte) }
        isChanged = true
    }

    /// Behind the quote that ends the string whose first byte is at `start`.
    private static func stringEnd(in text: Span<UInt8>, from start: Int) -> Int {
        var at = start
        while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at + 1, text.count)
    }

    /// The length of the word for no number that begins here: NaN or Infinity, perhaps behind a minus; 0 where there is none.
    private static func wordLength(in text: Span<UInt8>, at place: Int) -> Int {
        let sign = text[place] == UInt8(ascii: "-") ? 1 : 0
        let rest = text.extracting((place + sign)...)
        if rest.isPrefixed("NaN") { return sign + 3 }
        return rest.isPrefixed("Infinity") ? sign + 8 : 0
    }
}

extension Span<UInt8> {
    fileprivate func isPrefixed(_ word: StaticString) -> Bool {
        guard count >= word.utf8CodeUnitCount else { return false }
        // A static string lives as long as the program; its length is the bound of the loop.
        for i in 0..<word.utf8CodeUnitCount where unsafe self[i] != word.utf8Start[i] { return false }
        return true
    }
}
