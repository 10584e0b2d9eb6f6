// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// JSON as the SDKs of other products write it.
///
/// Clients drop a rejected request, so one invalid value would lose its whole batch. Values that SDKs write although JSON does not allow
/// them are read as null: `NaN`, `Infinity`, and values nested too deeply.
///
///     {"a": NaN, "b": -Infinity}  →  {"a": null, "b": null}
enum LenientJSON {
    /// Two levels less than for native bodies, because the values are wrapped in those.
    static let limits = JSONLimits(depth: JSONLimits.deepest - 2, stepsPerToken: JSONLimits.allowedStepsPerToken)

    static func tape(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONError) {
            return try tape(body, in: 0..<body.count, json)
        } catch {
            throw Refusal(error)
        }
    }

    /// Parses a part of a body.
    static func tape(
        _ body: [UInt8], in range: Range<Int>, _ json: JSONReader, limits: JSONLimits = LenientJSON.limits
    ) throws(JSONError) -> JSONTape {
        do throws(JSONError) {
            return try json.parse(body, in: range, limits: limits)
        } catch {
            guard isRepairable(error.reason), let repaired = repaired(body, in: range) else { throw error.counted(from: range.lowerBound) }
            return try json.parse(repaired, limits: limits)
        }
    }

    private static func isRepairable(_ reason: JSONError.Reason) -> Bool {
        switch reason {
        case .badLiteral, .badNumber, .unexpected, .tooDeep: true
        default: false
        }
    }

    private static func repaired(_ body: [UInt8], in range: Range<Int>) -> [UInt8]? {
        var repair = JSONRepair(body, in: range, depth: limits.depth)
        return repair.run()
    }
}

/// Copies a body with null in place of values that JSON does not allow: `{"a":NaN}` becomes `{"a":null}`.
///
/// It makes one pass. Unchanged bytes are copied in long pieces.
private struct JSONRepair {
    private let body: [UInt8]
    private let range: Range<Int>
    private let deepest: Int
    private var out: [UInt8] = []
    /// The start of the bytes that have not been copied yet.
    private var pending: Int
    private var isChanged = false

    init(_ body: [UInt8], in range: Range<Int>, depth: Int) {
        (self.body, self.range, deepest) = (body, range, depth)
        pending = range.lowerBound
    }

    /// Returns the corrected body; nil if nothing needs replacement.
    mutating func run() -> [UInt8]? {
        let body = body
        let text = body.span.extracting(..<range.upperBound)
        var at = range.lowerBound
        var depth = 0
        while at < text.count {
            let place = at
            at += 1
            switch text[place] {
            case UInt8(ascii: "\""): at = JSONRepair.stringEnd(in: text, from: at)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == deepest + 1 { replace(from: place) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                // A value that was too deep is already written as null.
                if depth == deepest { pending = at }
            case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "-"):
                let length = JSONRepair.wordLength(in: text, at: place)
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

    /// Copies the bytes before `place` and writes null.
    private mutating func replace(from place: Int) {
        if out.isEmpty { out.reserveCapacity(range.count) }
        // Copying a short piece byte by byte is faster than as a slice.
        if place - pending < 16 {
            for at in pending..<place { out.append(body[at]) }
        } else {
            out.append(contentsOf: body[pending..<place])
        }
        for byte in "null".utf8 { out.append(byte) }
        isChanged = true
    }

    /// Returns the position after the string's closing quote.
    private static func stringEnd(in text: Span<UInt8>, from start: Int) -> Int {
        var at = start
        while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at + 1, text.count)
    }

    /// Returns the length of `NaN` or `Infinity` with an optional minus at this place; 0 if there is none.
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
        // A static string lives as long as the program; its length bounds the loop.
        for i in 0..<word.utf8CodeUnitCount where unsafe self[i] != word.utf8Start[i] { return false }
        return true
    }
}
