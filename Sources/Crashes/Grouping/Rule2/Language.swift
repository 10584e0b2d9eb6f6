// SPDX-License-Identifier: Apache-2.0

/// The programming language of a frame. It selects how the frame's names are read.
enum Language {
    /// C, C++, Objective-C, Swift and Rust.
    case native
    /// Java and Kotlin.
    case java
    case csharp
    case go
    case python
    case ruby
    case php
    /// JavaScript of browsers and React Native.
    case javascript
    case node
    case dart
    case elixir

    private static let platforms: [String: Language] = [
        "cocoa": .native, "native": .native, "c": .native, "objc": .native, "swift": .native, "rust": .native,
        "java": .java, "kotlin": .java, "android": .java, "csharp": .csharp, "go": .go, "python": .python, "ruby": .ruby, "perl": .ruby,
        "php": .php, "javascript": .javascript, "node": .node, "dart": .dart, "flutter": .dart, "elixir": .elixir,
    ]
    private static let endings: [String: Language] = [
        "java": .java, "kt": .java, "kts": .java, "scala": .java, "groovy": .java, "cs": .csharp, "go": .go, "py": .python, "rb": .ruby,
        "php": .php, "js": .javascript, "jsx": .javascript, "mjs": .javascript, "cjs": .javascript, "ts": .javascript, "tsx": .javascript,
        "vue": .javascript, "dart": .dart, "ex": .elixir, "exs": .elixir, "erl": .elixir,
    ]

    /// The languages that the parts of a report state besides its frames.
    struct Stated {
        /// The language of frames that state none.
        var report: Language?
        /// A guess from the system on which the app runs.
        var system: Language?

        init(_ report: CrashReport) {
            self.report = report.platform.flatMap { platforms[$0] }
            system = report.contextValue("platform").flatMap { platforms[$0] ?? systems[$0] }
        }
    }

    /// Returns the language that the frame states, else that of its report, else the one that its address, file or system suggests.
    static func of(_ frame: StackFrame, _ stated: Stated) -> Language {
        var paths = PathFacts()
        return of(frame, stated, &paths)
    }

    static func of(_ frame: StackFrame, _ stated: Stated, _ paths: inout PathFacts) -> Language {
        if let language = frame.platform.flatMap({ paths.language(platform: $0) }) ?? stated.report { return language }
        if frame.address != nil { return .native }
        return paths.language(file: frame.file ?? "") ?? stated.system ?? .native
    }

    init?(platform: String) {
        guard let language = Language.platforms[platform] else { return nil }
        self = language
    }

    /// A guess from the ending of a file's name.
    init?(file: String) {
        guard let language = Language.endings[String(FilePath.ending(of: file))] else { return nil }
        self = language
    }

    private static let systems: [String: Language] = ["web": .javascript]
}
