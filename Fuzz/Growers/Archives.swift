// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// ZIP archives of stored files, and bundles of source maps.
    static let archives: [Grower] = [
        Grower("archives", "entries") { n in zip((0..<n).map { ("f\($0)", [UInt8]("x".utf8)) }) },
        Grower("archives", "entries of one name") { n in zip((0..<n).map { _ in ("f", []) }) },
        Grower("archives", "folders") { n in zip((0..<n).map { ("f\($0)/", []) }) },
        Grower("archives", "long names") { n in zip((0..<8).map { ("\($0)" + String(repeating: "n", count: n), []) }) },
        Grower("archives", "one long entry") { n in zip([("f", [UInt8](repeating: 0x61, count: n))]) },
        Grower("archives", "a long comment") { n in zip([("f", [])], comment: n) },
        Grower("archives", "ends in a comment", isAccepted: false) { n in
            zip([("f", [])]) + (0..<n).flatMap { _ in little(0x0605_4b50, 4) + [UInt8](repeating: 0, count: 18) }
        },
        Grower("archives", "bytes before the archive") { n in [UInt8](repeating: 0x50, count: n) + zip([("f", [])]) },
        Grower("archives", "scripts and their maps") { n in
            bundle((0..<n).flatMap { [script("a\($0).js", map: "a\($0).js.map"), map("a\($0).js.map")] })
        },
        Grower("archives", "scripts of one map") { n in bundle((0..<n).map { script("a\($0).js", map: "x.map") } + [map("x.map")]) },
        Grower("archives", "maps of one URL") { n in bundle((0..<n).map { ("m\($0)", #"{"type":"source_map","url":"~/m"}"#) }) },
        Grower("archives", "folders in a reference") { n in
            bundle([script("d/a.js", map: String(repeating: "../", count: n) + "x.map"), map("x.map")])
        },
        Grower("archives", "headers") { n in
            bundle([
                (
                    "m",
                    #"{"type":"source_map","url":"~/m","headers":{"#.dropLast() + "{" + (0..<n).map { #""h\#($0)":"v""# }.joined(separator: ",")
                        + "}}"
                )
            ])
        },
        Grower("archives", "manifest entries without files") { n in
            zip([("manifest.json", Array(("{\"files\":{" + (0..<n).map { #""f\#($0)":{"type":"source_map"}"# }.joined(separator: ",") + "}}").utf8))])
        },
    ]

    private static func script(_ name: String, map: String) -> (String, String) {
        (name, #"{"type":"minified_source","url":"~/\#(name)","headers":{"Sourcemap":"\#(map)"}}"#)
    }

    private static func map(_ name: String) -> (String, String) { (name, #"{"type":"source_map","url":"~/\#(name)"}"#) }

    /// A bundle of empty files with their entries in the manifest.
    private static func bundle(_ files: [(name: String, entry: String)]) -> [UInt8] {
        let entries = files.map { "\"\($0.name)\":\($0.entry)" }.joined(separator: ",")
        return zip(files.map { ($0.name, []) } + [("manifest.json", Array("{\"release\":\"1\",\"files\":{\(entries)}}".utf8))])
    }

    private static func zip(_ files: [(name: String, bytes: [UInt8])], comment: Int = 0) -> [UInt8] {
        var (out, directory): ([UInt8], [UInt8]) = ([], [])
        for file in files {
            let sizes = little(checksum(file.bytes), 4) + little(file.bytes.count, 4) + little(file.bytes.count, 4)
            let names = little(file.name.utf8.count, 2) + little(0, 2)
            directory += little(0x0201_4b50, 4) + little(20, 2) + little(20, 2) + [UInt8](repeating: 0, count: 8) + sizes + names
            directory += [UInt8](repeating: 0, count: 10) + little(out.count, 4) + Array(file.name.utf8)
            out += little(0x0403_4b50, 4) + little(20, 2) + [UInt8](repeating: 0, count: 8) + sizes + names + Array(file.name.utf8) + file.bytes
        }
        let count = little(files.count, 2)
        let end = little(0x0605_4b50, 4) + little(0, 4) + count + count + little(directory.count, 4) + little(out.count, 4) + little(comment, 2)
        return out + directory + end + [UInt8](repeating: 0x63, count: comment)
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320 }
        }
        return Int(~value)
    }

    private static func little(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
