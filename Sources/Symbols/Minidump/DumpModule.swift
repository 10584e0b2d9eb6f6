// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform

/// A binary that was loaded: an entry of the module list.
struct DumpModule: Sendable {
    private static let width = 108

    var start: UInt64
    var size: UInt64
    var name: String
    var debugID: DebugID?
    var debugFile: String?
    var codeID: String?

    static func all(_ bytes: DumpBytes, _ stream: Range<Int>?, _ system: DumpSystem) -> [DumpModule] {
        guard let stream, let list = DumpList(bytes, stream, width: width, most: Minidump.Limits.modules) else { return [] }
        // Modules may share one long name, which the report would repeat. Without sharing, the names fit into the file.
        var nameBytes = bytes.count
        return list.places.compactMap { place in
            let module = DumpModule(bytes, at: place, system, isNamed: nameBytes > 0)
            nameBytes -= module.map { $0.name.utf8.count + ($0.debugFile?.utf8.count ?? 0) } ?? 0
            return module
        }
    }

    private init?(_ bytes: DumpBytes, at place: Int, _ system: DumpSystem, isNamed: Bool) {
        guard let start = bytes.word64(place), let size = bytes.word32(place + 8), let built = bytes.word32(place + 16) else { return nil }
        // A module that wraps around the address space would contain every address.
        guard size > 0, start <= .max - UInt64(size) else { return nil }
        (self.start, self.size) = (start, UInt64(size))
        name = isNamed ? bytes.place(place + 20).flatMap { bytes.text16($0) } ?? "" : ""
        if let record = bytes.location(place + 76) { readIdentity(bytes, record, system) }
        if !isNamed { debugFile = nil }
        if codeID == nil, system.platform == .windows {
            codeID = String(built, radix: 16).leftPadded(to: 8) + String(size, radix: 16)
        }
    }

    var end: UInt64 { start + size }

    // MARK: Identity

    /// Reads a CodeView record: `RSDS` with a GUID, an age and a name, `NB10` with a time, or Breakpad's `BpEL` with an ELF build ID.
    private mutating func readIdentity(_ bytes: DumpBytes, _ record: Range<Int>, _ system: DumpSystem) {
        let start = record.lowerBound
        switch bytes.word32(start) {
        case 0x5344_5352 where record.count >= 24:
            guard let age = bytes.word32(start + 20) else { return }
            let id = bytes.slice(start + 4..<start + 20)
            debugID = identity(Array(id), age: age)
            debugFile = bytes.text8(start + 24..<record.upperBound).ifAny
            // On Apple's systems the GUID is the UUID of the binary, and on Linux the start of the build ID.
            if let debugID, system.isApple { codeID = String(decoding: debugID.uuid.text.filter { $0 != 0x2d }, as: UTF8.self) }
        case 0x3031_424e where record.count >= 16:
            guard let stamp = bytes.word32(start + 8), let age = bytes.word32(start + 12) else { return }
            debugID = DebugID(uuid: UUID128(high: UInt64(stamp) << 32, low: 0), age: age)
            debugFile = bytes.text8(start + 16..<record.upperBound).ifAny
        case 0x4270_454c where record.count > 4:
            let id = Array(bytes.slice(start + 4..<record.upperBound).prefix(64))
            guard id.contains(where: { $0 != 0 }) else { return }
            debugID = BuildID.debugID(id, order: .little)
            codeID = id.map { String($0, radix: 16).leftPadded(to: 2) }.joined()
            debugFile = name.ifAny
        default: break
        }
    }

    /// Returns a GUID of the file, whose first three numbers are little-endian. An ID of zeros identifies nothing.
    private func identity(_ id: [UInt8], age: UInt32) -> DebugID? {
        guard id.contains(where: { $0 != 0 }) else { return nil }
        var found = BuildID.debugID(id, order: .little)
        found.age = age
        return found
    }
}

extension String {
    fileprivate var ifAny: String? { isEmpty ? nil : self }

    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: Swift.max(0, width - utf8.count)) + self
    }
}

/// The modules by address.
struct ModuleIndex: Sendable {
    private let ranges: [(start: UInt64, end: UInt64, module: Int)]

    init(_ modules: [DumpModule]) {
        ranges = modules.enumerated().map { ($1.start, $1.end, $0) }.sorted { $0.start < $1.start }
    }

    /// Returns the index of the module that contains the address.
    func module(at address: UInt64) -> Int? {
        let after = ranges.lowerBound { $0.start <= address }
        guard after > 0, address < ranges[after - 1].end else { return nil }
        return ranges[after - 1].module
    }

    /// The bits that an address in a module can have. Others are signatures of pointers, which newer ARM processors add.
    var addressMask: UInt64 {
        let highest = max(ranges.map(\.end).max() ?? 0, 1 << 39)
        return highest.leadingZeroBitCount == 0 ? .max : (1 << (64 - UInt64(highest.leadingZeroBitCount))) - 1
    }
}
