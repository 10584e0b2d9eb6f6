// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Mangled Rust names. Back references, which describe endless names, are the ones to watch.
    static let rustNames: [Grower] = [
        text("rustnames", "members", "_R#C1a#", "Nv", "1b"),
        text("rustnames", "members that never end", "_R#", "Nv"),
        text("rustnames", "long identifier", "_RNvC1a65000#", "b"),
        text("rustnames", "long number", "_RNvC1a#b", "9"),
        text("rustnames", "long disambiguator", "_RNvC1as#_1b", "Z"),
        text("rustnames", "arguments", "_RINvC1a1b#E", "h"),
        text("rustnames", "arguments that are paths", "_RINvC1a1b#E", "NtC1a1c"),
        text("rustnames", "arguments that refer back", "_RINvC1a1b#E", "B1_"),
        text("rustnames", "references in references", "_RINvC1a1b#hE", "R"),
        text("rustnames", "tuples in tuples", "_RINvC1a1b#h#E", "T", "E"),
        text("rustnames", "functions", "_RINvC1a1b#E", "FG_UKCRL0_hEu"),
        text("rustnames", "lifetimes", "_RINvC1a1b#E", "FG0_RL0_hRL1_hEu"),
        text("rustnames", "binders", "_RINvC1a1b#hE", "FG9_E"),
        text("rustnames", "objects", "_RINvC1a1b#E", "DNtC1a1tp1xhEL_"),
        text("rustnames", "traits of an object", "_RINvC1a1bD#EL_E", "NtC1a1t"),
        text("rustnames", "associated types", "_RINvC1a1bDNtC1a1t#EL_E", "p1xh"),
        text("rustnames", "implementations", "_RINvC1a1b#E", "MC1ah"),
        text("rustnames", "implementations in each other", "_R#C1ah", "M"),
        text("rustnames", "qualified names", "_R#hC1a#", "Y", "C1a"),
        text("rustnames", "integers", "_RINvC1a1b#E", "Kjff_"),
        text("rustnames", "long integer", "_RINvC1a1bKj#_E", "f"),
        text("rustnames", "long string", "_RINvC1a1bKRe#_E", "61"),
        text("rustnames", "string of control characters", "_RINvC1a1bKRe#_E", "01"),
        text("rustnames", "arrays in arrays", "_RINvC1a1bK#h1_#E", "A", "E"),
        text("rustnames", "structures", "_RINvC1a1b#E", "KVNtC1a1cS1xh1_E"),
        text("rustnames", "punycode", "_RNvC1a65000u#", "a"),
        text("rustnames", "identifiers in punycode", "_RINvC1a1b#E", "NtC1au8gdel_5qa"),
        text("rustnames", "doubling back references", "_RINvC1a1bThhE#E", "TB7_B7_E"),
        // Each tuple holds itself twice.
        text("rustnames", "endless back references", "_RINvC1a1b#E", "TB7_B7_E"),
        text("rustnames", "back references that end nowhere", "_R#", "B_"),
        text("rustnames", "suffix", "_RNvC1a1b.#", "llvm."),
        text("rustnames", "older escapes", "#::h0123456789abcdef", "$LT$"),
        text("rustnames", "older code points", "#::h0123456789abcdef", "$u7e$"),
        text("rustnames", "older unknown escapes", "#::h0123456789abcdef", "$abc"),
        text("rustnames", "older dots", "#::h0123456789abcdef", "."),
        text("rustnames", "older hashes", "a#", "::h0123456789abcdef"),
    ]
}
