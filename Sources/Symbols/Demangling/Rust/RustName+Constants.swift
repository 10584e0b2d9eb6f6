// SPDX-License-Identifier: Apache-2.0

extension RustName {
    /// Reads a constant: `j10_` is 16, `lna_` is -10, `b1_` is `true`.
    ///
    /// - Parameter isNested: Whether it is a part of a larger constant. All but literals otherwise stand in braces.
    mutating func constant(isNested: Bool) throws(RustNameError) {
        try enter()
        let tag = try tag()
        switch tag {
        case "p": try write("_")
        case "h", "t", "m", "y", "o", "j": try integer()
        case "a", "s", "l", "x", "n", "i":
            if skip("n") { try write("-") }
            try integer()
        case "b": try boolean()
        case "c": try character()
        case "B":
            guard let end = try jump() else { break }
            try constant(isNested: isNested)
            place = end
        case "R" where skip("e"): try string()
        case "e", "R", "Q", "A", "T", "V":
            try write(isNested ? "" : "{")
            try compound(tag)
            try write(isNested ? "" : "}")
        default: throw RustNameError()
        }
        leave()
    }

    private mutating func compound(_ tag: Unicode.Scalar) throws(RustNameError) {
        switch tag {
        case "e":
            try write("*")
            try string()
        case "R", "Q":
            try write(tag == "R" ? "&" : "&mut ")
            try constant(isNested: true)
        case "A":
            try write("[")
            try constants()
            try write("]")
        case "T":
            try write("(")
            try write(try constants() == 1 ? ",)" : ")")
        default:
            try path(isValue: true)
            try fields()
        }
    }

    @discardableResult
    private mutating func constants() throws(RustNameError) -> Int {
        var count = 0
        while try hasNext(after: &count) { try constant(isNested: true) }
        return count
    }

    /// Reads the fields of a structure or of a case of an enumeration.
    private mutating func fields() throws(RustNameError) {
        switch try tag() {
        case "U": break
        case "T":
            try write("(")
            try constants()
            try write(")")
        case "S":
            try write(" { ")
            var count = 0
            while try hasNext(after: &count) {
                try write(bytes: try identifier().text)
                try write(": ")
                try constant(isNested: true)
            }
            try write(" }")
        default: throw RustNameError()
        }
    }

    // MARK: Literals

    /// Takes lower-case hexadecimal digits and the underscore after them.
    private mutating func digits() throws(RustNameError) -> ArraySlice<UInt8> {
        let start = place
        while !skip("_") {
            let tag = try tag()
            guard ("0"..."9").contains(tag) || ("a"..."f").contains(tag) else { throw RustNameError() }
        }
        return text[start..<place - 1]
    }

    private mutating func value() throws(RustNameError) -> UInt64? {
        let digits = try digits().drop { $0 == 0x30 }
        return digits.isEmpty ? 0 : UInt64(String(decoding: digits.prefix(17), as: UTF8.self), radix: 16)
    }

    /// Reads an integer; one of more than 64 bits stays hexadecimal.
    private mutating func integer() throws(RustNameError) {
        let start = place
        if let value = try value() { return try write(String(value)) }
        try write("0x")
        try write(bytes: text[start..<place - 1].drop { $0 == 0x30 })
    }

    private mutating func boolean() throws(RustNameError) {
        switch try value() {
        case 0: try write("false")
        case 1: try write("true")
        default: throw RustNameError()
        }
    }

    private mutating func character() throws(RustNameError) {
        guard let value = try value(), let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { throw RustNameError() }
        try write("'")
        try write(scalar == "'" ? "\\'" : scalar == "\"" ? "\"" : RustName.escaped(scalar))
        try write("'")
    }

    /// Reads a string as the hexadecimal digits of its UTF-8.
    private mutating func string() throws(RustNameError) {
        let digits = try digits()
        guard digits.count.isMultiple(of: 2) else { throw RustNameError() }
        guard !isSkipping else { return }
        let values = digits.map { $0 < 0x40 ? $0 - 0x30 : $0 - 0x61 + 10 }
        let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        guard let content = String(validating: bytes, as: UTF8.self) else { throw RustNameError() }
        try write("\"")
        for scalar in content.unicodeScalars { try write(RustName.escaped(scalar)) }
        try write("\"")
    }

    /// Returns a character of a literal. Control characters and those of no own width become escapes, as in Rust's source.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return "\\u{\(String(scalar.value, radix: 16))}"
        default: return String(scalar)
        }
    }
}
