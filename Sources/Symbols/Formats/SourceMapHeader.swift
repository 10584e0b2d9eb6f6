// SPDX-License-Identifier: Apache-2.0

import Crashes

/// Finds the version and the debug ID of a source map without reading it into memory. The file is scanned once, in pieces.
///
///     {"version":3,"debugId":"8a5e1f3c-…","sources":["cart.ts"],"mappings":"AAAA"}   →   8a5e1f3c-…
struct SourceMapHeader {
    private static let pieceBytes = 1 << 20
    private static let longestText = 64
    private static let deepest = 64

    /// The kinds of brackets around the current place; true for an object.
    private var brackets: [Bool] = []
    private var isInText = false
    private var isEscaped = false
    private var text: [UInt8] = []
    private var key: [UInt8] = []
    private var isValue = false
    private var isEnded = false
    private var isVersion3 = false
    private var hasMappings = false
    private var debugID: DebugID?

    private init() {}

    /// Whether a file may be a source map: JSON, or `)]}'` and a line of it.
    static func mayBe(_ first: UInt32) -> Bool {
        let byte = UInt8(truncatingIfNeeded: first >> 24)
        return byte == UInt8(ascii: "{") || byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 || first >> 8 == 0x29_5d7d
    }

    /// Returns the debug ID, if the map has one.
    static func read(_ source: ByteSource) throws(SymbolFileError) -> DebugID? {
        guard source.count <= SourceMap.longest else { throw .tooLarge(SourceMap.longest) }
        var header = SourceMapHeader()
        var (place, isGuard) = (0, try source.read(at: 0, count: 3).elementsEqual(")]}".utf8))
        while place < source.count {
            let piece = try source.read(at: place, count: pieceBytes)
            guard !piece.isEmpty else { throw .unreadable }
            place += piece.count
            for byte in piece {
                // The first line keeps browsers from running the map as a script.
                if isGuard { isGuard = byte != 0x0a } else { try header.take(byte) }
            }
        }
        guard header.isEnded else { throw header.hasMappings || header.isVersion3 ? .damaged("it is truncated") : .unknownFormat }
        guard header.isVersion3, header.hasMappings else { throw .unknownFormat }
        return header.debugID
    }

    private mutating func take(_ byte: UInt8) throws(SymbolFileError) {
        if isInText { return takeText(byte) }
        switch byte {
        case 0x20, 0x09, 0x0a, 0x0d: break
        case _ where isEnded: throw .damaged("it has text behind its end")
        case 0x22: (isInText, text) = (true, [])
        case 0x7b, 0x5b:
            guard brackets.count < SourceMapHeader.deepest, !brackets.isEmpty || byte == 0x7b else { throw .unknownFormat }
            if brackets.count == 1, byte == 0x5b, key.elementsEqual("sections".utf8) { hasMappings = true }
            brackets.append(byte == 0x7b)
        case 0x7d, 0x5d:
            guard brackets.popLast() == (byte == 0x7d) else { throw .damaged("its brackets do not match") }
            endValue()
            isEnded = brackets.isEmpty
        case _ where brackets.isEmpty: throw .unknownFormat
        case 0x3a: if brackets.count == 1 { (key, text, isValue) = (text, [], true) }
        case 0x2c: endValue()
        default: if brackets.count == 1, isValue, text.count < SourceMapHeader.longestText { text.append(byte) }
        }
    }

    private mutating func takeText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == 0x5c {
            isEscaped = true
        } else if byte == 0x22 {
            isInText = false
            if brackets.count == 1, isValue { endText() }
        } else if brackets.count == 1, text.count < SourceMapHeader.longestText {
            text.append(byte)
        }
    }

    private mutating func endText() {
        if key.elementsEqual("mappings".utf8) { hasMappings = true }
        if key.elementsEqual("debugId".utf8) || debugID == nil && key.elementsEqual("debug_id".utf8) {
            debugID = String(validating: text, as: UTF8.self).flatMap { DebugID($0) } ?? debugID
        }
        text = []
    }

    private mutating func endValue() {
        guard brackets.count <= 1 else { return }
        if isValue, key.elementsEqual("version".utf8) { isVersion3 = text.elementsEqual("3".utf8) }
        (key, text, isValue) = ([], [], false)
    }
}
