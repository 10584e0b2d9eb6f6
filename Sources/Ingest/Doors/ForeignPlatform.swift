/// The platforms by the names that we know them by, whatever other products call them.
enum ForeignPlatform {
    /// Nil for an empty name.
    static func name(of text: String) -> String? {
        let name = text.lowercased()
        if let known = known[name] { return known }
        return name.isEmpty ? nil : name
    }

    private static let known = [
        "ipados": "ios", "iphone os": "ios", "iphoneos": "ios", "mac os x": "macos", "mac os": "macos", "os x": "macos", "osx": "macos", "darwin": "macos",
        "mac": "macos", "chrome os": "chromeos", "gnu/linux": "linux", "web": "web", "browser": "web",
    ]
}
