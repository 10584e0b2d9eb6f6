// SPDX-License-Identifier: Apache-2.0

import WrittenDumps

extension Grower {
    /// Minidumps, the forms that bring them, and the records that find callers in them.
    static let minidumps = dumpLists + sharedParts + stacks + forms + records

    private static let id = MinidumpWriter.elf(Array(1...16))
    private static let registers: [String: UInt64] = ["rip": 0x1010, "rsp": 0x8000]

    private static func dump(_ name: String, isAccepted: Bool = true, _ add: @escaping @Sendable (inout MinidumpWriter, Int) -> Void) -> Grower {
        Grower("minidumps", name, isAccepted: isAccepted) { n in
            var dump = MinidumpWriter(.amd64, .linux)
            dump.add(thread: 1, registers, stackAt: 0x8000, words: [0])
            add(&dump, n)
            return dump.bytes
        }
    }

    private static func number(_ value: Int) -> [UInt8] { MinidumpWriter.number(UInt32(value)) }
    private static func wide(_ value: Int) -> [UInt8] { MinidumpWriter.number(UInt64(value)) }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A count followed by entries.
    private static func list(_ n: Int, _ entry: (Int) -> [[UInt8]]) -> [UInt8] {
        number(n) + (0..<n).flatMap { entry($0).flatMap { $0 } }
    }

    // MARK: Lists

    private static let dumpLists: [Grower] = [
        dump("modules") { dump, n in for place in 0..<n { dump.add(module: "m\(place)", at: UInt64(place) << 16, size: 0x1000, identity: id) } },
        dump("modules in one place") { dump, n in for _ in 0..<n { dump.add(module: "m", at: 0x1000, size: 0x1000) } },
        dump("modules backwards") { dump, n in for place in 0..<n { dump.add(module: "m", at: UInt64(n - place) << 16, size: 0x1000) } },
        dump("a long name") { dump, n in dump.add(module: String(repeating: "n", count: n), at: 0x1000, size: 0x1000) },
        dump("threads") { dump, n in for id in 0..<n { dump.add(thread: UInt32(id + 2), registers, stackAt: 0x8000, words: [0], name: "t\(id)") } },
        dump("threads of one ID") { dump, n in for _ in 0..<n { dump.add(thread: 1, registers, name: "t") } },
        dump("regions") { dump, n in for place in 0..<n { dump.add(memory: [0], at: UInt64(n - place) << 8) } },
        dump("regions of 64 bits") { dump, n in
            let entries: [UInt8] = (0..<n).flatMap { wide($0 << 8) + wide(0) }
            dump.add(stream: 9, wide(n) + wide(0) + entries)
        },
        dump("mappings") { dump, n in dump.add(stream: 0x4767_0009, repeated(n, "§0000-§f000 r-xp 0 0:0 0 /a\n", separator: "")) },
        dump("mappings without an end") { dump, n in dump.add(stream: 0x4767_0009, repeated(n, "1000-2000 r-xp ", separator: "")) },
        dump("infos of memory") { dump, n in
            let entry: [[UInt8]] = [wide(0x1000), zeros(16), wide(0x1000), number(0), number(0x20), number(0), number(0)]
            let entries: [UInt8] = (0..<n).flatMap { _ in entry.flatMap { $0 } }
            dump.add(stream: 16, number(16) + number(48) + wide(n) + entries)
        },
        dump("annotations") { dump, n in dump.add(annotations: (0..<n).map { ("a\($0)", "b") }) },
        dump("a distribution's lines") { dump, n in dump.add(stream: 0x4767_0005, repeated(n, "NAME=a\n", separator: "")) },
        Grower("minidumps", "streams", isAccepted: false) { n in
            let header: [[UInt8]] = [number(0x504d_444d), number(0xa793), number(n), number(32), zeros(16)]
            let entries: [UInt8] = (0..<n).flatMap { _ in number(4) + number(0) + number(0) }
            return header.flatMap { $0 } + entries
        },
    ]

    // MARK: Parts that others share

    private static let sharedParts: [Grower] = [
        dump("modules with one long name") { dump, n in
            let name = Int(dump.put(text: String(repeating: "n", count: n)))
            dump.add(stream: 4, list(n) { _ in [wide(0x1000), number(0x1000), number(0), number(0), number(name), zeros(84)] })
        },
        dump("threads with one name and one stack") { dump, n in
            let name = Int(dump.put(text: String(repeating: "n", count: n)))
            let stack = dump.put((0..<n).flatMap { _ in wide(0x1010) })
            let context = dump.put(context: registers)
            dump.add(module: "m", at: 0x1000, size: 0x1000)
            dump.add(stream: 3, list(n) { [number($0), zeros(20), wide(0x8000), number(8 * n), number(stack), number(1_232), number(context)] })
            dump.add(stream: 24, list(n) { [number($0), wide(name)] })
        },
        dump("modules with one list of annotations") { dump, n in
            let text = dump.put(number(1) + [0x61, 0])
            let pairs = dump.put(list(n) { _ in [number(text), number(text)] })
            let module: [[UInt8]] = [number(1), zeros(8), number(4 + 8 * n), number(pairs), zeros(8)]
            let place = dump.put(module.flatMap { $0 })
            let modules = dump.put(list(n) { _ in [number(0), number(28), number(place)] })
            let info: [[UInt8]] = [number(1), zeros(40), number(4 + 12 * n), number(modules)]
            dump.add(stream: 0x4350_0001, info.flatMap { $0 })
        },
    ]

    // MARK: Stacks

    private static func stack(_ name: String, pointer: UInt64? = nil, _ words: @escaping @Sendable (Int) -> [UInt64]) -> Grower {
        Grower("minidumps", name) { n in
            var dump = MinidumpWriter(.amd64, .linux)
            dump.add(module: "m", at: 0x1000, size: 0x1000)
            var registers = registers
            registers["rbp"] = pointer
            dump.add(thread: 1, registers, stackAt: 0x8000, words: words(n))
            dump.crash(thread: 1, code: 11)
            return dump.bytes
        }
    }

    private static let stacks: [Grower] = [
        stack("frame pointers", pointer: 0x8000) { n in (0..<n).flatMap { place -> [UInt64] in [0x8010 + 16 * UInt64(place), 0x1010] } },
        stack("return addresses") { n in [UInt64](repeating: 0x1010, count: n) },
        stack("words that are no addresses") { n in [UInt64](repeating: 7, count: n) },
        stack("rare return addresses") { n in (0..<n).map { $0 % 39 == 38 ? 0x1010 : 7 } },
    ]

    // MARK: Forms

    private static func form(_ name: String, isAccepted: Bool = true, _ template: String, _ unit: String, _ rest: String = "") -> Grower {
        Grower("minidumpforms", name, isAccepted: isAccepted) { n in
            let file = "--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"a\"\r\n\r\nMDMP\r\n"
            return filled(
                file + template + "--b--\r\n", repeated(n, unit, separator: ""), repeated(rest.isEmpty ? 0 : n, rest, separator: ""))
        }
    }

    private static func part(_ name: String, _ value: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }

    private static let forms: [Grower] = [
        form("parts", "#", part("a§", "b")), form("equal parts", "#", part("a", "b")), form("chunks", "#", part("sentry__§", "{")),
        form("files", "#", "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n\r\n"),
        form("fields", "#", part("sentry[extra][k§]", "v")), form("deep fields", "#", part("sentry[a][b][c][d][e§]", "v")),
        form("members", part("sentry", "{#\"a\":0}"), "\"k§\":0,"), form("extra values", part("sentry", "{\"extra\":{#\"a\":0}}"), "\"k§\":0,"),
        form("members and fields", part("sentry", "{#\"a\":0}") + "#", "\"k§\":0,", part("sentry[k§]", "v")),
        form("a long value", part("a", "#"), "v"), form("a long name", part("#", "v"), "n"), form("escaped quotes", part("#", "v"), #"\""#),
        form("brackets", part("sentry[#]", "v"), "a]["), form("parameters", "--b\r\nContent-Disposition: form-data#\r\n\r\nv\r\n", "; a=b"),
        form("semicolons", "--b\r\nContent-Disposition: form-data#\r\n\r\nv\r\n", ";"),
        form("header fields", "--b\r\n#\r\n\r\nv\r\n", "A: b\r\n"), form("starts of a boundary", part("a", "#"), "\r\n--"),
        form("line ends", part("a", "#"), "\r\n"),
        form("values of MessagePack", part("__sentry-event", "\u{01}#"), "\u{02}"),
        form("lists of MessagePack", part("__sentry-event", "#"), "\u{01}\u{02}"),
        form("breadcrumbs", part("__sentry-breadcrumb1", "#"), "\u{07}"),
        packed("nested lists", [0x91]), packed("nested maps", [0x81, 0xa1, 0x61]), packed("long texts", [0xa1, 0x61]),
        packed("claimed lists", [0xdd, 0, 0, 1, 0]),
        packed("binaries", [0xc4, 0]),
    ]

    /// MessagePack that is not UTF-8.
    private static func packed(_ name: String, _ unit: [UInt8]) -> Grower {
        Grower("minidumpforms", name, isAccepted: false) { n in
            let head = "--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"a\"\r\n\r\nMDMP\r\n"
            let event = "--b\r\nContent-Disposition: form-data; name=\"__sentry-event\"; filename=\"e\"\r\n\r\n"
            return Array((head + event).utf8) + (0..<n).flatMap { _ in unit } + Array("\r\n--b--\r\n".utf8)
        }
    }

    // MARK: Unwind records

    private static let records: [Grower] = [
        text("unwindrecords", "functions", "MODULE a\n#", "STACK CFI INIT §00 100 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"),
        text("unwindrecords", "overlapping functions", "MODULE a\n#", "STACK CFI INIT 1000 1000 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"),
        text("unwindrecords", "changes", "STACK CFI INIT 1000 ffffff .cfa: $rsp 8 + .ra: .cfa 8 - ^\n#", "STACK CFI 1000 .cfa: $rsp 8 +\n"),
        text("unwindrecords", "one long expression", "STACK CFI INIT 0 ffffff .cfa: $rsp # .ra: .cfa 8 - ^\n", "8 + "),
        text("unwindrecords", "one deep expression", "STACK CFI INIT 0 ffffff .cfa: # .ra: .cfa 8 - ^\n", "8 "),
        text("unwindrecords", "registers", "STACK CFI INIT 0 ffffff .cfa: $rsp 8 + .ra: .cfa 8 - ^ #\n", "$r§: .cfa ^ "),
        text("unwindrecords", "one register", "STACK CFI INIT 0 ffffff .cfa: $rsp 8 + .ra: .cfa 8 - ^ #\n", "$rbx: .cfa ^ "),
        text("unwindrecords", "colons", "STACK CFI INIT 0 ffffff #\n", ": "),
        text("unwindrecords", "programs", "#", "STACK WIN 4 §0 10 0 0 0 0 0 0 1 $eip $esp ^ = $esp $esp 4 + =\n"),
        text("unwindrecords", "one long program", "STACK WIN 4 0 ffffff 0 0 0 0 0 0 1 $eip $esp ^ = #$esp $esp 4 + =\n", "$T§ $esp = "),
        text("unwindrecords", "sizes", "#", "STACK WIN 0 §0 10 0 0 0 4 8 0 0 1\n"),
        text("unwindrecords", "functions with names", "#", "FUNC §0 10 0 f\nSTACK CFI INIT §0 10 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"),
        text("unwindrecords", "records without an end", "#", "STACK CFI INIT 0 "),
    ]
}
