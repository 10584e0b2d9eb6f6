// SPDX-License-Identifier: Apache-2.0

/// The format of a frame's names. It selects the parser.
enum FrameStyle {
    /// C, C++, Objective-C, Swift and Rust: the function name contains its type.
    case native
    /// Java, Kotlin and C#: a method of the class in `module`.
    case classes
    /// JavaScript, Python, PHP and Ruby: a function of a module or file.
    case script

    private static let platforms: [String: FrameStyle] = [
        "java": .classes, "csharp": .classes,
        "javascript": .script, "node": .script, "python": .script, "php": .script, "ruby": .script, "perl": .script, "elixir": .script,
    ]
    private static let endings: [String: FrameStyle] = [
        "java": .classes, "kt": .classes, "kts": .classes, "scala": .classes, "groovy": .classes, "cs": .classes,
        "js": .script, "jsx": .script, "mjs": .script, "cjs": .script, "ts": .script, "tsx": .script, "vue": .script, "py": .script, "php": .script,
        "rb": .script,
    ]

    static func of(_ frame: StackFrame) -> FrameStyle {
        if let platform = frame.platform { return platforms[platform] ?? .native }
        if frame.address != nil { return .native }
        guard let file = frame.file?.utf8, let dot = file.lastIndex(of: UInt8(ascii: ".")), file[dot...].utf8Count <= 8 else { return .native }
        return endings[String(decoding: file[dot...].dropFirst(), as: UTF8.self)] ?? .native
    }
}

extension Substring.UTF8View {
    fileprivate var utf8Count: Int { count }
}
