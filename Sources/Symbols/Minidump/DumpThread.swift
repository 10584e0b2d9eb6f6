// SPDX-License-Identifier: Apache-2.0

/// A thread of the process: an entry of the thread list.
struct DumpThread: Sendable {
    private static let width = 48

    var id: UInt32
    var name: String?
    /// The registers; nil for a processor that is not known.
    var state: CPUState?
    /// The part of the stack that the file contains.
    var stack: MemoryRegion?

    static func all(_ bytes: DumpBytes, _ stream: Range<Int>?, _ system: DumpSystem) -> [DumpThread] {
        guard let stream, let list = DumpList(bytes, stream, width: width, most: Minidump.Limits.threads) else { return [] }
        return list.places.compactMap { DumpThread(bytes, at: $0, system) }
    }

    private init?(_ bytes: DumpBytes, at place: Int, _ system: DumpSystem) {
        guard let id = bytes.word32(place), let start = bytes.word64(place + 24) else { return nil }
        self.id = id
        state = DumpThread.state(bytes, at: place + 40, system)
        if let range = bytes.location(place + 32), !range.isEmpty { stack = MemoryRegion(start: start, place: range) }
    }

    init(id: UInt32, state: CPUState?) {
        (self.id, self.state) = (id, state)
    }

    static func state(_ bytes: DumpBytes, at location: Int, _ system: DumpSystem) -> CPUState? {
        guard let processor = system.processor, let context = bytes.location(location) else { return nil }
        return CPUState(processor, bytes, at: context)
    }
}

/// The exception that ended the process.
struct DumpException: Sendable {
    var thread: UInt32
    var code: UInt32
    var flags: UInt32
    var address: UInt64
    /// The parameters, at most 15.
    var parameters: [UInt64]
    /// The registers at the exception. Those of the thread may be of the handler that wrote the dump.
    var state: CPUState?

    init?(_ bytes: DumpBytes, _ stream: Range<Int>, _ system: DumpSystem) {
        let start = stream.lowerBound
        guard stream.count >= 168, let thread = bytes.word32(start), let code = bytes.word32(start + 8), let flags = bytes.word32(start + 12),
            let address = bytes.word64(start + 24), let count = bytes.word32(start + 32)
        else { return nil }
        (self.thread, self.code, self.flags) = (thread, code, flags)
        self.address = address
        parameters = (0..<min(Int(count), 15)).compactMap { bytes.word64(start + 40 + 8 * $0) }
        state = DumpThread.state(bytes, at: start + 160, system)
        // Some writers extend the sign of a 32-bit address.
        if system.processor?.width == 4 {
            self.address &= 0xffff_ffff
            parameters = parameters.map { $0 & 0xffff_ffff }
        }
    }
}
