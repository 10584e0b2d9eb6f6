// SPDX-License-Identifier: Apache-2.0

import Crashes

/// The annotations that Crashpad adds to a dump: of the process, and of each module.
struct CrashpadInfo {
    private(set) var client: String?
    private(set) var annotations: [CustomKey] = []

    private static let mostModules = 512
    /// The number of entries that are read. Modules may share their lists.
    private static let mostEntries = 4 * Minidump.Limits.annotations
    /// The type of an annotation that is a text.
    private static let text: UInt16 = 1

    private var entries = 0

    init(_ bytes: DumpBytes, _ stream: Range<Int>) {
        let start = stream.lowerBound
        if let range = bytes.range(start + 20, 16), stream.count >= 36 {
            let id = Array(bytes.slice(range))
            if id.contains(where: { $0 != 0 }) { client = BuildID.debugID(id, order: .little).text }
        }
        if let simple = bytes.location(start + 36) { readPairs(bytes, simple) }
        if let modules = bytes.location(start + 44) { readModules(bytes, modules) }
    }

    private mutating func readModules(_ bytes: DumpBytes, _ range: Range<Int>) {
        guard let list = DumpList(bytes, range, width: 12, most: CrashpadInfo.mostModules) else { return }
        for place in list.places where entries < CrashpadInfo.mostEntries {
            guard let module = bytes.location(place + 4) else { continue }
            if let simple = bytes.location(module.lowerBound + 12) { readPairs(bytes, simple) }
            if let objects = bytes.location(module.lowerBound + 20) { readObjects(bytes, objects) }
        }
    }

    /// Reads the positions of a name and a text in 8 bytes each.
    private mutating func readPairs(_ bytes: DumpBytes, _ range: Range<Int>) {
        guard let list = DumpList(bytes, range, width: 8, most: Minidump.Limits.annotations) else { return }
        for place in list.places where entries < CrashpadInfo.mostEntries { add(bytes, name: bytes.place(place), value: bytes.place(place + 4)) }
    }

    /// Reads the positions of a name and a value with the value's type in 12 bytes each.
    private mutating func readObjects(_ bytes: DumpBytes, _ range: Range<Int>) {
        guard let list = DumpList(bytes, range, width: 12, most: Minidump.Limits.annotations) else { return }
        for place in list.places where entries < CrashpadInfo.mostEntries && bytes.word16(place + 4) == CrashpadInfo.text {
            add(bytes, name: bytes.place(place), value: bytes.place(place + 8))
        }
    }

    private mutating func add(_ bytes: DumpBytes, name: Int?, value: Int?) {
        entries += 1
        guard annotations.count < Minidump.Limits.annotations, let name = name.flatMap({ bytes.text8($0) }), !name.isEmpty,
            let value = value.flatMap({ bytes.text8($0) })
        else { return }
        annotations.append(CustomKey(name, value))
    }
}
