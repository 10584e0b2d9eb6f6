// SPDX-License-Identifier: Apache-2.0

import Platform

/// A part of the process's memory, and where the file contains it.
struct MemoryRegion: Sendable {
    var start: UInt64
    var place: Range<Int>

    /// Returns the position of `width` bytes at an address.
    func place(of address: UInt64, width: Int) -> Int? {
        guard address >= start, address - start < UInt64(place.count), place.count - Int(address - start) >= width else { return nil }
        return place.lowerBound + Int(address - start)
    }

    /// Whether the address is in the region or directly after it.
    func reaches(_ address: UInt64) -> Bool { address >= start && address - start <= UInt64(place.count) }
}

/// The memory in a dump, and which of the process's memory is code.
struct DumpMemory: Sendable {
    /// The regions in ascending order of their addresses.
    private var regions: [MemoryRegion] = []
    /// The executable mappings in ascending order; empty if the dump does not list them.
    private var code: [(start: UInt64, end: UInt64)] = []

    init() {}

    var isEmpty: Bool { regions.isEmpty }

    init(_ bytes: DumpBytes, _ streams: [Minidump.Stream: Range<Int>]) {
        if let stream = streams[.memory] { readList(bytes, stream) }
        if let stream = streams[.memory64] { readList64(bytes, stream) }
        regions.sort { $0.start < $1.start }
    }

    /// Reads addresses with a size and a position each.
    private mutating func readList(_ bytes: DumpBytes, _ stream: Range<Int>) {
        guard let list = DumpList(bytes, stream, width: 16, most: Minidump.Limits.memories) else { return }
        for place in list.places {
            guard let start = bytes.word64(place), let range = bytes.location(place + 8), !range.isEmpty else { continue }
            regions.append(MemoryRegion(start: start, place: range))
        }
    }

    /// Reads addresses with a size each. Their bytes follow each other from one position on.
    private mutating func readList64(_ bytes: DumpBytes, _ stream: Range<Int>) {
        guard let count = bytes.word64(stream.lowerBound), let base = bytes.word64(stream.lowerBound + 8), stream.count >= 16 else { return }
        let entries = min(Int(clamping: count), Minidump.Limits.memories, (stream.count - 16) / 16)
        var next = Int(clamping: base)
        for number in 0..<entries {
            let place = stream.lowerBound + 16 + 16 * number
            guard let start = bytes.word64(place), let size = bytes.word64(place + 8),
                let range = bytes.range(next, Int(clamping: size))
            else { return }
            regions.append(MemoryRegion(start: start, place: range))
            next = range.upperBound
        }
    }

    /// Reads the executable mappings of `/proc/self/maps`: `55d0c0a1000-55d0c0a9000 r-xp 00001000 …`.
    mutating func readMaps(_ bytes: DumpBytes, _ stream: Range<Int>) {
        for line in bytes.slice(stream).split(separator: 0x0a).prefix(Minidump.Limits.mappings) {
            let words = line.split(separator: 0x20, maxSplits: 2)
            guard words.count >= 2, words[1].dropFirst(2).first == UInt8(ascii: "x") else { continue }
            let ends = words[0].split(separator: UInt8(ascii: "-"))
            guard ends.count == 2, let start = UInt64(hexDigits: ends[0]), let end = UInt64(hexDigits: ends[1]), start < end else { continue }
            code.append((start, end))
        }
        code.sort { $0.start < $1.start }
    }

    /// Reads the executable regions of a Windows process: entries of MINIDUMP_MEMORY_INFO.
    mutating func readInfos(_ bytes: DumpBytes, _ stream: Range<Int>) {
        let start = stream.lowerBound
        guard let header = bytes.place(start), let width = bytes.place(start + 4), let count = bytes.word64(start + 8),
            width >= 48, header >= 16, header <= stream.count
        else { return }
        for number in 0..<min(Int(clamping: count), Minidump.Limits.mappings, (stream.count - header) / width) {
            let place = start + header + width * number
            guard let address = bytes.word64(place), let size = bytes.word64(place + 24), let protection = bytes.word32(place + 36) else { return }
            // PAGE_EXECUTE and its three combinations with reading and writing.
            if protection & 0xf0 != 0, size > 0, size <= .max - address { code.append((address, address + size)) }
        }
        code.sort { $0.start < $1.start }
    }

    /// Returns the region that contains the address.
    func region(at address: UInt64) -> MemoryRegion? {
        let after = regions.lowerBound { $0.start <= address }
        guard after > 0, regions[after - 1].place(of: address, width: 1) != nil else { return nil }
        return regions[after - 1]
    }

    /// Whether the address may be executed; nil if the dump does not say.
    func isCode(_ address: UInt64) -> Bool? {
        if code.isEmpty { return nil }
        let after = code.lowerBound { $0.start <= address }
        return after > 0 && address < code[after - 1].end
    }
}

extension UInt64 {
    /// Reads up to 16 hexadecimal digits.
    init?(hexDigits digits: ArraySlice<UInt8>) {
        guard (1...16).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let number = digit.hexValue else { return nil }
            value = value << 4 | UInt64(number)
        }
        self = value
    }
}
