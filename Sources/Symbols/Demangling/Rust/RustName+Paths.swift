// SPDX-License-Identifier: Apache-2.0

extension RustName {
    /// Reads a path: `NvC7mycrate3bar` is `mycrate::bar`.
    ///
    /// - Parameter isValue: Whether generic arguments follow `::`, as in expressions.
    mutating func path(isValue: Bool) throws(RustNameError) {
        try enter()
        switch try tag() {
        case "C": try write(bytes: try identifier().text)
        case "N": try member(isValue: isValue)
        case "M":
            try skipImplementation()
            try qualified(hasTrait: false)
        case "X":
            try skipImplementation()
            try qualified(hasTrait: true)
        case "Y": try qualified(hasTrait: true)
        case "I":
            try openGeneric(isValue: isValue)
            try write(">")
        case "B":
            guard let end = try jump() else { break }
            try path(isValue: isValue)
            place = end
        default: throw RustNameError()
        }
        leave()
    }

    /// Reads a path and its generic arguments, without the bracket that closes them.
    mutating func openGeneric(isValue: Bool) throws(RustNameError) {
        try path(isValue: isValue)
        try write(isValue ? "::<" : "<")
        var count = 0
        while try hasNext(after: &count) { try genericArgument() }
    }

    /// Reads a member of a path. Upper-case namespaces are those of the compiler: closures and shims.
    private mutating func member(isValue: Bool) throws(RustNameError) {
        let space = try tag()
        guard space.properties.isAlphabetic else { throw RustNameError() }
        try path(isValue: isValue)
        let (text, number) = try identifier()
        if space.properties.isLowercase {
            if !text.isEmpty { try write("::") }
            return try write(bytes: text)
        }
        try write("::{")
        try write(space == "C" ? "closure" : space == "S" ? "shim" : String(space))
        if !text.isEmpty { try write(":") }
        try write(bytes: text)
        try write("#\(number)}")
    }

    /// Reads `<type>` or `<type as trait>`.
    private mutating func qualified(hasTrait: Bool) throws(RustNameError) {
        try write("<")
        try type()
        if hasTrait {
            try write(" as ")
            try path(isValue: false)
        }
        try write(">")
    }

    /// Skips the place of an implementation in its crate.
    private mutating func skipImplementation() throws(RustNameError) {
        let wasSkipping = isSkipping
        isSkipping = true
        _ = try number(after: "s")
        try path(isValue: false)
        isSkipping = wasSkipping
    }

    private mutating func genericArgument() throws(RustNameError) {
        if skip("L") { return try lifetime(try number()) }
        if skip("K") { return try constant(isNested: false) }
        try type()
    }

    // MARK: Identifiers

    /// Reads an identifier and the number that distinguishes it from others of the same text: `s_3foo` is `foo` and 1.
    mutating func identifier() throws(RustNameError) -> (text: ArraySlice<UInt8>, number: Int) {
        let number = try number(after: "s")
        return (try plainIdentifier(), number)
    }

    /// Reads an identifier: `3foo`, or in punycode `u8gdel_5qa` for `gödel`.
    mutating func plainIdentifier() throws(RustNameError) -> ArraySlice<UInt8> {
        let isPunycode = skip("u")
        let count = try decimal()
        // Separates the length from a text that begins with a digit or an underscore.
        _ = skip("_")
        let bytes = try take(count)
        guard isPunycode, !isSkipping else { return bytes }
        return Punycode.decode(bytes).map { Array($0.utf8)[...] } ?? Array("punycode{".utf8) + bytes + [0x7d]
    }

    private mutating func decimal() throws(RustNameError) -> Int {
        guard place < text.count, (0x30...0x39).contains(text[place]) else { throw RustNameError() }
        if skip("0") { return 0 }
        var value = 0
        while place < text.count, (0x30...0x39).contains(text[place]), value <= text.count {
            value = value * 10 + Int(text[place] - 0x30)
            place += 1
        }
        return value
    }
}
