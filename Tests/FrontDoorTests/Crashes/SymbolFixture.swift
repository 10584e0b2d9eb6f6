// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The small program of `Tests/Fixtures/symbols` in two builds, and crashes of it.
enum SymbolFixture {
    struct Build: Sendable {
        let file: String
        let debugID: String
        let type: String
        let architecture: String
        /// The offset at which `main` called `entry`, which crashed in `price`, inlined by way of `checkout`.
        let main: Int
        let entry: Int

        var bytes: [UInt8] {
            get throws { [UInt8](try Data(contentsOf: SymbolFixture.folder.appendingPathComponent(file))) }
        }

        /// A crash in the program without function names.
        func crash(_ id: String? = nil, path: String = "/app/Shop") -> SentCrash {
            let base = 0x7f00_0000_0000
            func hex(_ number: Int) -> String { "0x" + String(number, radix: 16) }
            let image =
                #"{"type": "\#(type)", "debug_id": "\#(debugID)", "image_addr": "\#(hex(base))", "image_size": 65536, "code_file": "\#(path)", "arch": "\#(architecture)"}"#
            let frames = [main, entry].map { #"{"instruction_addr": "\#(hex(base + $0))", "package": "\#(path)", "in_app": true}"# }
            return SentCrash(id).with("images", json: "[\(image)]").with("frames", json: "[\(frames.joined(separator: ","))]")
        }
    }

    static let elf = Build(
        file: "Probe.elf", debugID: "7193bee0-742a-21db-8cc9-05fce5275ed0", type: "elf", architecture: "x86_64", main: 0x11a4, entry: 0x1191)
    static let arm = Build(
        file: "Probe-arm64.dSYM", debugID: "4c4c4414-5555-3144-a1e5-d672487d359b", type: "macho", architecture: "arm64", main: 0x2d8, entry: 0x2c4)

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/symbols")
}

extension CrashingWorld {
    func put(_ build: SymbolFixture.Build, as key: String? = nil) async throws -> Reply {
        try await put(build.bytes, for: build.debugID, as: key)
    }

    func put(_ bytes: [UInt8], for id: String, as key: String? = nil) async throws -> Reply {
        try await api.request("PUT", "/v1/symbols/\(id)", key: key ?? ours.admin, body: bytes)
    }

    func missing(as key: String? = nil) async throws -> [JSON] {
        try await get("/v1/symbols/missing", as: key)["items"].items
    }

    /// A crash after its symbolication. It needs `llvm-symbolizer`, which scripts/setup installs.
    func readable(_ id: String, of issue: String) async throws -> JSON {
        let isReadable = try await eventually { try await crash(id, of: issue)["symbols"].text == "complete" }
        #expect(isReadable, "llvm-symbolizer is missing or failed: \(live.log.text.suffix(300))")
        return try await crash(id, of: issue)
    }
}

/// The displayed fields of a frame.
struct ShownFrame: Equatable {
    var function: String
    var line: Int

    init(_ function: String, _ line: Int) {
        (self.function, self.line) = (function, line)
    }

    static func of(_ crash: JSON) -> [ShownFrame] {
        crash["report"]["frames"].items.map {
            ShownFrame($0["raw_function"].exists ? $0["raw_function"].text : $0["function"].text, $0["lineno"].number)
        }
    }

    /// The probe's frames, oldest first, with linker names.
    static let probe = [
        ShownFrame("main", 27), ShownFrame("entry", 23), ShownFrame("_ZN4shop4Cart8checkoutEi", 15), ShownFrame("_ZN4shopL5priceEi", 11),
    ]
}
