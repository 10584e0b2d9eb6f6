extension String {
    /// For a terminal: what others said must not move the cursor, colour the screen or name the window. Ends of lines and tabs stay.
    var harmless: String {
        guard unicodeScalars.contains(where: \.steers) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.steers ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steers: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
