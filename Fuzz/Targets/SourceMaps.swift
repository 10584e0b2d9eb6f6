// SPDX-License-Identifier: Apache-2.0

import Crashes
import Symbols

/// Source maps. Places near the start, the end and in between are looked up.
enum SourceMaps {
    private static let lookups = 64

    static func run(_ bytes: [UInt8]) {
        guard let map = try? SourceMap(bytes) else { return }
        accepted()
        require(map.count <= bytes.count, "more mappings than bytes")
        var random = InputRandom(bytes)
        for number in 0..<lookups {
            let line = number < 4 ? number : Int.random(in: 0...max(1, bytes.count / 4), using: &random)
            check(map, line, Int.random(in: 0...1 << (number % 16), using: &random))
        }
        check(map, .max, .max)
        check(map, 1, .max)
    }

    private static func check(_ map: SourceMap, _ line: Int, _ column: Int) {
        guard let location = map.location(line: line, column: column) else { return }
        require(line > 0 && column > 0, "a location of no place")
        require(location.line > 0 && location.column > 0 && !location.source.isEmpty, "a location that is no place: \(location)")
        require(location.name?.isEmpty != true, "an empty name")
        // The map of an index map's sections may mark each source.
        if let content = map.content(ofSource: location.sourceIndex) { require(String(validating: content, as: UTF8.self) != nil, "no UTF-8") }
        if column < .max, let next = map.location(line: line, column: column + 1), next != location {
            require(map.location(line: line, column: column) == location, "a location that changed")
        }
    }
}

/// Generated files and their comments. A map of the file's first line names its functions.
enum GeneratedFiles {
    /// Columns 1, 2, … of line 1 with the name `f`.
    private static let map = try? SourceMap(
        Array(#"{"version":3,"sources":["s"],"names":["f"],"mappings":"AAAAA\#(String(repeating: ",CAAAA", count: 600))"}"#.utf8))

    static func run(_ bytes: [UInt8]) {
        let file = GeneratedFile(bytes)
        accepted()
        if let url = file.sourceMapURL { require(!url.isEmpty && url.utf8.allSatisfy { $0 > 0x20 }, "a URL with spaces") }
        if let id = file.debugID { require(DebugID(id.text) == id, "an ID that is not read as it is written") }
        guard let map else { return require(false, "the map is invalid") }
        for (name, column) in [("a", 1), ("a", 600), ("new Object.b", 64), ("", 9)] {
            let found = map.functionName(name, line: 1, column: column, in: file)
            require(found == nil || found == "f", "an unknown name")
        }
        _ = map.functionName("a", line: 2, column: 1, in: file)
    }
}
