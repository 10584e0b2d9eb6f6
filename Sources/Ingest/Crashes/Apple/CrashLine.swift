// SPDX-License-Identifier: Apache-2.0

import Crashes

/// A line of a `.crash` report.
struct CrashLine {
    private let line: Substring

    init(_ line: Substring) {
        self.line = line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line
    }

    var isBlank: Bool { line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    var text: String { String(line.trimmed).prefix(scalars: CrashLimits.nameCharacters) }

    func starts(_ text: String) -> Bool { line.utf8.starts(with: text.utf8) }

    /// Reads `Name:   value`.
    var fact: (name: String, value: String)? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = line[line.utf8.index(after: colon)...].trimmed
        return (String(line[..<colon].trimmed).prefix(scalars: 100), String(value).prefix(scalars: CrashLimits.nameCharacters))
    }
}

// MARK: - Threads

extension CrashLine {
    struct ThreadHeading {
        enum Kind {
            case name
            case stack(crashed: Bool)
            /// The registers of a thread.
            case state
        }

        var number: Int
        var kind: Kind
        var name: String?
    }

    /// Reads `Thread 3:`, `Thread 3 Crashed:: name`, `Thread 3 name:  name` or `Thread 3 crashed with ARM Thread State (64-bit):`.
    var threadHeading: ThreadHeading? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let words = line[..<colon].words(atMost: 4)
        guard words.count >= 2, let number = Int(words[1]) else { return nil }
        let name = Substring(line[colon...].utf8.drop { $0 == UInt8(ascii: ":") }).trimmed
        let text = name.isEmpty ? nil : String(name).prefix(scalars: CrashLimits.nameCharacters)
        switch words.dropFirst(2).first {
        case nil: return ThreadHeading(number: number, kind: .stack(crashed: false), name: text)
        case "Crashed": return ThreadHeading(number: number, kind: .stack(crashed: true), name: text)
        case "name": return ThreadHeading(number: number, kind: .name, name: text)
        default: return ThreadHeading(number: number, kind: .state, name: nil)
        }
    }
}

// MARK: - Frames

extension CrashLine {
    struct Frame {
        /// The image name as written, which may be truncated.
        var image: Substring
        var address: UInt64
        var symbol: Substring?
        var offset: UInt64?
        var file: Substring?
        var line: Int?

        func placed(in map: LoadedImages) -> StackFrame {
            var frame = StackFrame()
            let image = map.all.image(at: address)
            frame.address = address
            frame.imageAddress = image?.address
            frame.package = image?.codeFile ?? (self.image.isEmpty || self.image == "???" ? nil : String(self.image))
            frame.inApp = image.flatMap(map.isInApp)
            frame.function = symbol.map { String($0).prefix(scalars: CrashLimits.nameCharacters) }
            if symbol != nil { frame.symbolAddress = offset.map { address &- $0 } }
            frame.file = file?.ifAny?.prefix(scalars: CrashLimits.nameCharacters)
            frame.line = line
            return frame
        }
    }

    /// Reads `12  Image name   0x0000000102f04a1c symbol + 28 (File.swift:12)`. Without symbols the image's address replaces the symbol.
    var frame: Frame? {
        guard let number = line.words(atMost: 2).first, Int(number) != nil,
            let at = line.addressStart, let address = UInt64(address: Array(line[at...].word.utf8).span)
        else { return nil }
        let image = line[number.endIndex..<at].trimmed
        var frame = Frame(image: String(image).prefix(scalars: CrashLimits.nameCharacters)[...], address: address)
        frame.readPlace(line[line[at...].word.endIndex...].trimmed)
        return frame
    }

    /// Reads a line of addresses: `(0x1e50ffef8 0x1e42cda40)`.
    var addresses: [Frame] {
        let list = Substring(line.trimmed.utf8.drop { $0 == UInt8(ascii: "(") }.prefix { $0 != UInt8(ascii: ")") })
        return list.words(atMost: CrashLimits.frames + 1).prefix(CrashLimits.frames).compactMap { word in
            UInt64(address: Array(word.utf8).span).map { Frame(image: "", address: $0) }
        }
    }
}

extension CrashLine.Frame {
    fileprivate mutating func readPlace(_ text: Substring) {
        var rest = text
        let bytes = rest.utf8
        if bytes.last == UInt8(ascii: ")"), let open = bytes.lastIndex(of: UInt8(ascii: "(")),
            let colon = bytes[open...].lastIndex(of: UInt8(ascii: ":"))
        {
            line = Int(Substring(bytes[bytes.index(after: colon)...].dropLast()))
            if line != nil {
                file = rest[bytes.index(after: open)..<colon]
                rest = rest[..<open].trimmed
            }
        }
        if let plus = rest.utf8.lastIndex(of: UInt8(ascii: "+")), plus > rest.startIndex,
            let offset = UInt64(rest[rest.utf8.index(after: plus)...].trimmed)
        {
            self.offset = offset
            rest = rest[..<plus].trimmed
        }
        let isAddress = rest.utf8.starts(with: "0x".utf8) || rest.utf8.allSatisfy { (0x30...0x39).contains($0) }
        symbol = rest.isEmpty || isAddress ? nil : rest
    }
}

// MARK: - Images

extension CrashLine {
    private static let architectures: Set<Substring> = [
        "arm64", "arm64e", "arm64_32", "armv7", "armv7s", "armv7k", "x86_64", "x86_64h", "i386",
    ]

    static func architecture(ofCode type: String) -> String? {
        switch type.split(separator: " ").first {
        case "ARM-64": "arm64"
        case "X86-64": "x86_64"
        case "ARM": "armv7"
        case "X86": "i386"
        default: nil
        }
    }

    /// Reads `0x102f00000 - 0x102f0bfff +Name arm64 (1.0 - 1) <uuid> /path`. The architecture, the versions and the plus are optional.
    var image: BinaryImage? {
        let words = line.words(atMost: 4)
        guard words.count == 4, words[1] == "-", let from = UInt64(address: Array(words[0].utf8).span),
            let to = UInt64(address: Array(words[2].utf8).span), to >= from, let open = words[3].utf8.firstIndex(of: UInt8(ascii: "<")),
            let close = words[3][open...].utf8.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        var image = BinaryImage()
        image.type = "macho"
        image.address = from
        image.size = (to - from).addingReportingOverflow(1).partialValue
        image.debugID = DebugID(String(Substring(words[3][open..<close].utf8.dropFirst())))
        image.architecture = words[3][..<open].words().first { CrashLine.architectures.contains($0) }.map(String.init)
        let path = Substring(words[3][close...].utf8.dropFirst()).trimmed
        let name = path.isEmpty ? CrashLine.name(before: words[3][..<open]) : ""
        image.codeFile = (path.ifAny ?? name.ifAny)?.prefix(scalars: CrashLimits.nameCharacters)
        return image
    }
}

extension CrashLine {
    /// Returns the name of an image without a path, without its plus, versions and architecture.
    private static func name(before text: Substring) -> String {
        let name = text.utf8.prefix { $0 != UInt8(ascii: "(") }.drop { $0 == UInt8(ascii: "+") || $0 == 0x20 }
        return Substring(name).words().filter { !architectures.contains($0) }.joined(separator: " ")
    }
}
