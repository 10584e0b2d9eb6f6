extension String {
    /// For a terminal: what others said must not move the cursor, colour the screen or name the window. Ends of lines and tabs stay.
    var harmless: String {
        guard unicodeScalars.contains(where: \.steers) else { return self }
        return String(map { $0.steers ? "?" : $0 })
    }
}

extension Character {
    /// A control is a character by itself, save for the return before a line feed, which ends a line of CSV.
    fileprivate var steers: Bool { self != "\r\n" && unicodeScalars.contains(where: \.steers) }
}

extension Unicode.Scalar {
    fileprivate var steers: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
