// SPDX-License-Identifier: Apache-2.0

import Symbols

/// Mappings of R8. Their own names are looked up.
enum ClassMappings {
    private static let names = 8

    static func run(_ bytes: [UInt8]) {
        guard let mapping = try? ClassMapping(bytes: bytes) else { return }
        accepted()
        let words = bytes.prefix(4_096).split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        let classes = words.filter { $0.utf8.last == 0x3a }.prefix(names).map { String($0.dropLast()) }
        let methods = words.filter { $0.utf8.last != 0x3a && $0 != "->" }.suffix(names)
        for name in classes {
            for method in methods {
                for line in [nil, 1, 4, 65_535, .max] { check(mapping, name, method, line) }
            }
            check(mapping, name, "", 0)
        }
    }

    private static func check(_ mapping: ClassMapping, _ name: String, _ method: String, _ line: Int?) {
        guard let frames = try? mapping.frames(class: name, method: method, line: line) else {
            return require(false, "bytes in memory that cannot be read")
        }
        require(frames.count <= 64, "deeper than the limit")
        require(frames.allSatisfy { !$0.className.isEmpty && $0.method?.isEmpty != true && $0.file?.isEmpty != true }, "an empty name")
        require(frames.isEmpty == ((try? mapping.originalClass(name)) == .some(nil)), "frames of an unknown class, or none of a known one")
        require(line != nil || frames.allSatisfy { $0.line == nil }, "a line from nowhere")
        require(frames.allSatisfy { $0.method != nil } || frames.count == 1, "a class alone among several frames")
    }
}
