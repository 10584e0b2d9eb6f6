// SPDX-License-Identifier: Apache-2.0

/// The facts that rule 2 derives from paths and platforms. The frames of a stack name few of them, so each is examined once.
struct PathFacts {
    private var platforms = Memo<Language?>()
    private var languages = Memo<Language?>()
    private var names = Memo<[UInt8]>()
    private var scripts = Memo<Bool>()
    private var files = Memo<Bool>()
    private var binaries = Memo<Bool>()

    mutating func language(platform: String) -> Language? { platforms.value(of: platform, Language.init(platform:)) }

    mutating func language(file path: String) -> Language? { languages.value(of: path, Language.init(file:)) }

    /// Returns the path without the parts that differ between machines and builds.
    mutating func name(of path: String) -> [UInt8] {
        names.value(of: path, FilePath.name(of:))
    }

    mutating func isLibrary(script path: String) -> Bool {
        if let known = scripts[path] { return known }
        let isLibrary = LibraryNames.contains(script: path, named: name(of: path))
        scripts[path] = isLibrary
        return isLibrary
    }

    mutating func isLibrary(file path: String) -> Bool { files.value(of: path, LibraryNames.contains(file:)) }

    /// Whether a binary belongs to the operating system.
    mutating func isLibrary(binary path: String) -> Bool { binaries.value(of: path, CodeOwner.isSystem(binary:)) }
}

/// The values of a function for the last few texts in ASCII.
struct Memo<Value> {
    private static var limit: Int { 8 }

    private var entries: [(text: String, value: Value)] = []
    /// The entry that was found or added last.
    private var newest = 0

    init() {}

    subscript(text: String) -> Value? {
        mutating get {
            if newest < entries.count, isEqual(entries[newest].text, text) { return entries[newest].value }
            guard let place = entries.indices.first(where: { isEqual(entries[$0].text, text) }) else { return nil }
            newest = place
            return entries[place].value
        }
        set {
            // Texts outside ASCII can be equal to `==` and differ in their bytes.
            guard let value = newValue, text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
            newest = entries.count < Self.limit ? entries.count : (newest + 1) % Self.limit
            if newest == entries.count { entries.append((text, value)) } else { entries[newest] = (text, value) }
        }
    }

    mutating func value(of text: String, _ compute: (String) -> Value) -> Value {
        if let known = self[text] { return known }
        let value = compute(text)
        self[text] = value
        return value
    }

    private func isEqual(_ known: String, _ text: String) -> Bool { known.utf8.count == text.utf8.count && known == text }
}
