// SPDX-License-Identifier: Apache-2.0

/// Replaces each `#` of a template with the next of `holes`.
func filled(_ template: String, _ holes: [UInt8]...) -> [UInt8] {
    var out: [UInt8] = []
    var next = 0
    for byte in template.utf8 {
        if byte == UInt8(ascii: "#"), next < holes.count {
            out += holes[next]
            next += 1
        } else {
            out.append(byte)
        }
    }
    return out
}

/// `n` copies of `unit`, in which `§` is replaced with the number of the copy.
///
/// Example: `repeated(2, "{\"id\":§}")` is `{"id":0},{"id":1}`.
func repeated(_ n: Int, _ unit: String, separator: String = ",") -> [UInt8] {
    let pieces = unit.split(separator: "§", omittingEmptySubsequences: false).map { Array($0.utf8) }
    var out: [UInt8] = []
    for number in 0..<n {
        if number > 0 { out += separator.utf8 }
        let digits = Array(String(number).utf8)
        for (place, piece) in pieces.enumerated() {
            if place > 0 { out += digits }
            out += piece
        }
    }
    return out
}

/// The integer square root of `n`, at least 1.
func root(of n: Int) -> Int { max(1, Int(Double(n).squareRoot())) }
