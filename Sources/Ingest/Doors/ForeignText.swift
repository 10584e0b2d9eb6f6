import JSON
import Platform

/// JSON as other products' SDKs write it.
///
/// One value that is no JSON would cost all the others of its batch, for their clients drop what is refused. What their languages write and JSON
/// does not know is read as null: `NaN`, `Infinity`, and what is nested too deeply.
enum ForeignText {
    /// Two less than our own bodies may have, into which the values are put.
    private static let limits = JSONLimits(depth: 30)

    static func tape(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONFailure) {
            return try json.parse(body, limits: limits)
        } catch {
            guard isMendable(error.reason), let mended = mended(body) else { throw Refusal(error) }
            do throws(JSONFailure) {
                return try json.parse(mended, limits: limits)
            } catch {
                throw Refusal(error)
            }
        }
    }

    private static func isMendable(_ reason: JSONFailure.Reason) -> Bool {
        switch reason {
        case .badLiteral, .badNumber, .unexpected, .tooDeep: true
        default: false
        }
    }

    /// The body with null for what JSON does not know; nil where there is nothing of the kind.
    static func mended(_ body: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(body.count)
        var (at, depth, inText, changed) = (0, 0, false, false)
        while at < body.count {
            let byte = body[at]
            if inText {
                let isEscape = byte == UInt8(ascii: "\\") && at + 1 < body.count
                if depth <= limits.depth { out.append(contentsOf: body[at...(isEscape ? at + 1 : at)]) }
                if byte == UInt8(ascii: "\"") { inText = false }
                at += isEscape ? 2 : 1
                continue
            }
            if let length = numberWord(in: body, at) {
                if depth <= limits.depth { out += null }
                (at, changed) = (at + length, true)
                continue
            }
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == limits.depth + 1 {
                    out += null
                    changed = true
                }
            case UInt8(ascii: "\""): inText = true
            default: break
            }
            if depth <= limits.depth { out.append(byte) }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
            at += 1
        }
        return changed && depth == 0 ? out : nil
    }

    private static let null = Array("null".utf8)
    private static let words = ["NaN", "Infinity", "-Infinity", "-NaN"].map { Array($0.utf8) }

    /// The length of the word for no number that begins here.
    private static func numberWord(in body: [UInt8], _ at: Int) -> Int? {
        guard body[at] == UInt8(ascii: "N") || body[at] == UInt8(ascii: "I") || body[at] == UInt8(ascii: "-") else { return nil }
        return words.first { body[at...].starts(with: $0) }?.count
    }
}
