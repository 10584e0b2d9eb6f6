// SPDX-License-Identifier: Apache-2.0

/// An index of the classes and methods in a mapping that R8 or ProGuard wrote, so that a lookup reads a few lines only.
///
///     com.example.Cart -> a.b:                             class a.b is com.example.Cart
///     # {"id":"sourceFile","fileName":"Cart.kt"}
///         1:3:void pay(int):10:12 -> a                     a.b.a, lines 1 to 3, is Cart.pay, lines 10 to 12
///         4:4:void com.example.Item.check():7:7 -> a       line 4 is Item.check, inlined
///         4:4:void pay(int):13 -> a                        … into line 13 of Cart.pay
package struct ClassMapping: Sendable {
    /// The limit of a mapping's bytes.
    package static let longest = 512 << 20
    private static let classLimit = 1_000_000
    /// The limit of methods; 64 MB.
    private static let memberLimit = 8_000_000
    private static let longestID = 256

    struct Class {
        /// The hash of the obfuscated name.
        var hash: UInt64
        var place: UInt32
        /// The place of the comment with the source file; 0 if there is none.
        var sourceFile: UInt32 = 0
        var firstMember: UInt32
        var memberCount: UInt32 = 0
    }

    /// A line of a method.
    struct Member {
        /// The hash of the obfuscated name.
        var hash: UInt32
        var place: UInt32
    }

    /// A class that has a source file.
    private struct Original {
        /// The hash of the original name.
        var hash: UInt64
        var place: UInt32
        var sourceFile: UInt32
    }

    let source: ByteSource
    /// The identifier that R8 also writes into the app.
    package private(set) var id: String?
    /// The hash of the mapping, as `SHA-256 0f3c…`.
    package private(set) var hash: String?
    private(set) var classes: [Class] = []
    private var originals: [Original] = []
    private(set) var members: [Member] = []
    /// The hash of the original name of the last class.
    private var originalHash: UInt64 = 0

    package init(bytes: [UInt8]) throws(SymbolFileError) {
        try self.init(ByteSource(bytes: bytes))
    }

    package init(path: String) throws(SymbolFileError) {
        try self.init(ByteSource(path: path))
    }

    init(_ source: ByteSource, classLimit: Int = classLimit, memberLimit: Int = memberLimit) throws(SymbolFileError) {
        guard source.count <= ClassMapping.longest else { throw .tooLarge(ClassMapping.longest) }
        self.source = source
        var lines = TextLines(source)
        while let (place, line) = try lines.next() {
            read(line, at: UInt32(place))
            guard classes.count <= classLimit else { throw .damaged("it has too many classes") }
            guard members.count <= memberLimit else { throw .damaged("it has too many methods") }
        }
        guard !classes.isEmpty else { throw .unknownFormat }
        endClass()
        classes.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        originals.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
    }

    /// The approximate memory in use.
    package var bytes: Int {
        classes.capacity * MemoryLayout<Class>.stride + members.capacity * MemoryLayout<Member>.stride
            + originals.capacity * MemoryLayout<Original>.stride
    }

    // MARK: Reading

    private mutating func read(_ line: ArraySlice<UInt8>, at place: UInt32) {
        switch line.first {
        case nil: break
        case 0x23: readComment(line, at: place)
        case 0x20, 0x09:
            let text = line.drop { $0 == 0x20 || $0 == 0x09 }
            if text.first == 0x23 { readComment(text, at: place) } else { readMember(text, at: place) }
        default:
            guard let names = ClassLine(line) else { break }
            endClass()
            originalHash = ClassMapping.hash(names.original)
            classes.append(Class(hash: ClassMapping.hash(names.obfuscated), place: place, firstMember: UInt32(members.count)))
        }
    }

    private mutating func readComment(_ text: ArraySlice<UInt8>, at place: UInt32) {
        let text = text.dropFirst().drop { $0 == 0x20 }
        if text.first == 0x7b {
            guard !classes.isEmpty, classes[classes.count - 1].sourceFile == 0, SourceFileComment.isOne(text) else { return }
            classes[classes.count - 1].sourceFile = place
        } else if classes.isEmpty {
            id = ClassMapping.value(text, of: "pg_map_id: ") ?? id
            hash = ClassMapping.value(text, of: "pg_map_hash: ") ?? hash
        }
    }

    private static func value(_ text: ArraySlice<UInt8>, of name: String) -> String? {
        guard text.starts(with: name.utf8), text.count <= name.utf8.count + longestID else { return nil }
        return String(validating: text.dropFirst(name.utf8.count), as: UTF8.self)
    }

    /// Adds a method's line to its class. Lines of fields have no parenthesis.
    private mutating func readMember(_ text: ArraySlice<UInt8>, at place: UInt32) {
        guard !classes.isEmpty, let name = MemberLine.obfuscatedName(text), text.contains(0x28) else { return }
        members.append(Member(hash: UInt32(truncatingIfNeeded: ClassMapping.hash(name)), place: place))
        classes[classes.count - 1].memberCount += 1
    }

    private mutating func endClass() {
        guard let last = classes.last else { return }
        members[Int(last.firstMember)...].sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        if last.sourceFile > 0 { originals.append(Original(hash: originalHash, place: last.place, sourceFile: last.sourceFile)) }
    }

    // MARK: Lookups

    /// Returns a hash that differs between processes, so that nobody can choose names of the same hash.
    static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
        var hasher = Hasher()
        for byte in name { hasher.combine(byte) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    func line(at place: UInt32) throws(SymbolFileError) -> ArraySlice<UInt8> {
        var lines = TextLines(source, from: Int(place), pieceSize: 0)
        return try lines.next()?.line ?? []
    }

    /// Returns the class of an obfuscated name, and its original name.
    func entry(_ name: String) throws(SymbolFileError) -> (Class, original: String)? {
        let hash = ClassMapping.hash(name.utf8)
        for entry in classes[classes.lowerBound { $0.hash < hash }...].prefix(while: { $0.hash == hash }).prefix(8) {
            guard let names = ClassLine(try line(at: entry.place)), names.obfuscated.elementsEqual(name.utf8) else { continue }
            return (entry, String(decoding: names.original, as: UTF8.self))
        }
        return nil
    }

    /// Returns the name of the file that contains a class, by its original name.
    func sourceFile(ofOriginal name: String) throws(SymbolFileError) -> String? {
        let hash = ClassMapping.hash(name.utf8)
        for entry in originals[originals.lowerBound { $0.hash < hash }...].prefix(while: { $0.hash == hash }).prefix(8) {
            guard let names = ClassLine(try line(at: entry.place)), names.original.elementsEqual(name.utf8) else { continue }
            return SourceFileComment.name(try line(at: entry.sourceFile))
        }
        return nil
    }
}
