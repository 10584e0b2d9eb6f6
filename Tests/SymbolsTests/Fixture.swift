// SPDX-License-Identifier: Apache-2.0

import Crashes
import Foundation
import Platform

/// The files of `Tests/Fixtures/symbols`, and files derived from them.
enum Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/symbols"

    static func path(_ name: String) -> String { folder + "/" + name }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    static let arm = "Probe-arm64.dSYM"
    static let intel = "Probe-x86_64.dSYM"
    static let elf = "Probe.elf"
    static let armID = id("4c4c4414-5555-3144-a1e5-d672487d359b")
    static let intelID = id("4c4c44c2-5555-3144-a1f8-bf37c3720b9c")
    static let elfID = id("7193bee0-742a-21db-8cc9-05fce5275ed0")

    private static func id(_ text: String) -> DebugID { DebugID(text) ?? DebugID(uuid: UUID128(high: 0, low: 0)) }

    /// A fat file of both dSYMs, as Xcode creates it.
    static func fat(wide: Bool = false) throws -> [UInt8] {
        let slices = [(types: [0x0100_000c, 0], try bytes(arm)), (types: [0x0100_0007, 3], try bytes(intel))]
        var head = big(wide ? 0xcafe_babf : 0xcafe_babe, 4) + big(slices.count, 4)
        var body: [UInt8] = []
        let start = 4_096
        for (types, slice) in slices {
            body += [UInt8](repeating: 0, count: (start - body.count % start) % start)
            head += types.flatMap { big($0, 4) } + big(start + body.count, wide ? 8 : 4) + big(slice.count, wide ? 8 : 4)
            head += big(12, 4) + (wide ? big(0, 4) : [])
            body += slice
        }
        return head + [UInt8](repeating: 0, count: start - head.count) + body
    }

    private static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
