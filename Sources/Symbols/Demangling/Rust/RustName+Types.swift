// SPDX-License-Identifier: Apache-2.0

extension RustName {
    private static let basicTypes: [Unicode.Scalar: String] = [
        "a": "i8", "b": "bool", "c": "char", "d": "f64", "e": "str", "f": "f32", "h": "u8", "i": "isize", "j": "usize", "l": "i32", "m": "u32",
        "n": "i128", "o": "u128", "p": "_", "s": "i16", "t": "u16", "u": "()", "v": "...", "x": "i64", "y": "u64", "z": "!",
    ]
    private static let lifetimeLimit = 256

    /// Reads a type: `RSh` is `&[u8]`.
    mutating func type() throws(RustNameError) {
        try enter()
        let tag = try tag()
        switch tag {
        case "R": try reference(isMutable: false)
        case "Q": try reference(isMutable: true)
        case "P": try prefixed("*const ")
        case "O": try prefixed("*mut ")
        case "S", "A": try array(isSlice: tag == "S")
        case "T": try tuple()
        case "F": try function()
        case "D": try traitObject()
        case "B":
            guard let end = try jump() else { break }
            try type()
            place = end
        default: try namedType(tag)
        }
        leave()
    }

    private mutating func namedType(_ tag: Unicode.Scalar) throws(RustNameError) {
        if let basic = RustName.basicTypes[tag] { return try write(basic) }
        // The tag is that of a path.
        place -= 1
        try path(isValue: false)
    }

    private mutating func prefixed(_ prefix: String) throws(RustNameError) {
        try write(prefix)
        try type()
    }

    private mutating func reference(isMutable: Bool) throws(RustNameError) {
        try write("&")
        if skip("L") {
            let index = try number()
            if index > 0 {
                try lifetime(index)
                try write(" ")
            }
        }
        try prefixed(isMutable ? "mut " : "")
    }

    private mutating func array(isSlice: Bool) throws(RustNameError) {
        try prefixed("[")
        if !isSlice {
            try write("; ")
            try constant(isNested: true)
        }
        try write("]")
    }

    private mutating func tuple() throws(RustNameError) {
        try write("(")
        var count = 0
        while try hasNext(after: &count) { try type() }
        try write(count == 1 ? ",)" : ")")
    }

    /// Reads `UK1CjEu` as `unsafe extern "C" fn(usize)`.
    private mutating func function() throws(RustNameError) {
        let lifetimes = try binder()
        if skip("U") { try write("unsafe ") }
        if skip("K") {
            let convention = skip("C") ? [0x43] : try plainIdentifier()
            try write("extern \"")
            try write(bytes: convention.map { $0 == 0x5f ? 0x2d : $0 })
            try write("\" ")
        }
        try write("fn(")
        var count = 0
        while try hasNext(after: &count) { try type() }
        try write(")")
        if !skip("u") { try prefixed(" -> ") }
        boundLifetimes -= lifetimes
    }

    // MARK: Trait objects

    /// Reads `DNtC4core4SendEL_` as `dyn core::Send`.
    private mutating func traitObject() throws(RustNameError) {
        try write("dyn ")
        let lifetimes = try binder()
        var count = 0
        while try hasNext(after: &count, separator: " + ") { try trait() }
        boundLifetimes -= lifetimes
        guard skip("L") else { throw RustNameError() }
        let index = try number()
        guard index > 0 else { return }
        try write(" + ")
        try lifetime(index)
    }

    /// Reads a trait with its associated types, which stand between the same brackets as generic arguments.
    private mutating func trait() throws(RustNameError) {
        var isOpen = try openPath()
        while skip("p") {
            try write(isOpen ? ", " : "<")
            isOpen = true
            try write(bytes: try plainIdentifier())
            try prefixed(" = ")
        }
        if isOpen { try write(">") }
    }

    /// Reads a path, without the bracket that closes its generic arguments. Returns whether it is missing.
    private mutating func openPath() throws(RustNameError) -> Bool {
        try enter()
        var isOpen = false
        if skip("B") {
            if let end = try jump() {
                isOpen = try openPath()
                place = end
            }
        } else if skip("I") {
            try openGeneric(isValue: false)
            isOpen = true
        } else {
            try path(isValue: false)
        }
        leave()
        return isOpen
    }

    // MARK: Lifetimes

    /// Introduces the lifetimes of the part that follows, as `for<'a> `, and returns their number. The caller ends them.
    private mutating func binder() throws(RustNameError) -> Int {
        let count = try number(after: "G")
        guard count <= RustName.lifetimeLimit - boundLifetimes else { throw RustNameError() }
        guard count > 0 else { return 0 }
        try write("for<")
        for index in 0..<count {
            if index > 0 { try write(", ") }
            boundLifetimes += 1
            try lifetime(1)
        }
        try write("> ")
        return count
    }

    /// Writes a lifetime by its distance from the innermost one, which is 1; 0 is an erased lifetime.
    mutating func lifetime(_ index: Int) throws(RustNameError) {
        guard !isSkipping else { return }
        guard index > 0 else { return try write("'_") }
        guard index <= boundLifetimes else { throw RustNameError() }
        let number = boundLifetimes - index
        try write(number < 26 ? "'\(Unicode.Scalar(UInt8(0x61 + number)))" : "'_\(number)")
    }
}
