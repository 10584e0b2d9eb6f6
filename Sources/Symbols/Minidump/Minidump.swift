// SPDX-License-Identifier: Apache-2.0

import Crashes

/// A parsed minidump: the file that Breakpad, Crashpad and Windows write when a process crashes.
///
///     "MDMP", version, number of streams, position of the directory, …
///     directory   SystemInfo at 0x98, Exception at 0xd0, ModuleList at 0x178, ThreadList at 0x424, …
///     streams     tables with positions of contexts, stacks and names
///
/// The file is untrusted. Each position is checked, lists are bounded, and nothing is copied in proportion to what the file claims.
package struct Minidump: Sendable {
    /// Limits of what is read. Windows allows more modules and threads than reports keep.
    enum Limits {
        static let streams = 256
        static let modules = 4_096
        static let threads = 4_096
        static let memories = 1 << 18
        static let mappings = 1 << 16
        static let annotations = 256
    }

    /// The streams by their numbers; of several, the first counts.
    enum Stream: UInt32 {
        case threads = 3
        case modules = 4
        case memory = 5
        case exception = 6
        case systemInfo = 7
        case memory64 = 9
        case miscInfo = 15
        case memoryInfo = 16
        case threadNames = 24
        case breakpad = 0x4767_0001
        case linuxRelease = 0x4767_0005
        case linuxMaps = 0x4767_0009
        case crashpad = 0x4350_0001
    }

    private static let signature: UInt32 = 0x504d_444d
    private static let version: UInt16 = 0xa793

    let bytes: DumpBytes
    /// The time of the dump in seconds since 1970; 0 if the writer did not say.
    let seconds: UInt32
    private(set) var streams: [Stream: Range<Int>] = [:]
    private(set) var system = DumpSystem()
    private(set) var exception: DumpException?
    private(set) var modules: [DumpModule] = []
    private(set) var threads: [DumpThread] = []
    private(set) var memory = DumpMemory()
    /// The thread that wrote the dump, and the one that asked for it.
    private(set) var writer: UInt32?
    private(set) var requester: UInt32?
    private(set) var annotations: [CustomKey] = []
    /// Crashpad's ID of the installation.
    private(set) var client: String?

    package init(_ bytes: [UInt8]) throws(MinidumpError) {
        self.bytes = DumpBytes(bytes)
        guard bytes.count >= 4, self.bytes.word32(0) == Minidump.signature else { throw .unknownFormat }
        guard let version = self.bytes.word16(4), let count = self.bytes.word32(8), let directory = self.bytes.place(12),
            let seconds = self.bytes.word32(20)
        else { throw .truncated }
        guard version == Minidump.version else { throw .unknownVersion }
        self.seconds = seconds
        try readDirectory(directory, count: Int(count))
        guard let stream = streams[.systemInfo], let system = DumpSystem(self.bytes, stream) else { throw .withoutSystem }
        self.system = system
        readStreams()
        guard !threads.isEmpty || exception != nil else { throw .withoutThreads }
    }

    private mutating func readDirectory(_ start: Int, count: Int) throws(MinidumpError) {
        guard count > 0 else { throw .withoutSystem }
        for number in 0..<min(count, Limits.streams) {
            let entry = start + 12 * number
            guard let kind = bytes.word32(entry), bytes.place(entry + 8) != nil else { throw .truncated }
            // Streams that do not matter may be outside a file that was cut off.
            guard let stream = Stream(rawValue: kind), streams[stream] == nil, let location = bytes.location(entry + 4) else { continue }
            streams[stream] = location
        }
    }

    private mutating func readStreams() {
        memory = DumpMemory(bytes, streams)
        if let maps = streams[.linuxMaps] { memory.readMaps(bytes, maps) }
        if let infos = streams[.memoryInfo] { memory.readInfos(bytes, infos) }
        modules = DumpModule.all(bytes, streams[.modules], system)
        exception = streams[.exception].flatMap { DumpException(bytes, $0, system) }
        threads = DumpThread.all(bytes, streams[.threads], system)
        nameThreads()
        if let stream = streams[.breakpad], let validity = bytes.word32(stream.lowerBound) {
            if validity & 1 != 0 { writer = bytes.word32(stream.lowerBound + 4) }
            if validity & 2 != 0 { requester = bytes.word32(stream.lowerBound + 8) }
        }
        if let stream = streams[.crashpad] {
            let crashpad = CrashpadInfo(bytes, stream)
            (client, annotations) = (crashpad.client, crashpad.annotations)
        }
        if let release = streams[.linuxRelease] { system.readRelease(bytes.text8(release)) }
    }

    /// Reads a thread ID and the position of its name in 12 bytes each.
    private mutating func nameThreads() {
        guard let stream = streams[.threadNames], let count = bytes.word32(stream.lowerBound) else { return }
        var names: [UInt32: Int] = [:]
        for number in 0..<min(Int(count), Limits.threads) {
            let entry = stream.lowerBound + 4 + 12 * number
            guard entry + 12 <= stream.upperBound, let id = bytes.word32(entry), let place = bytes.word64(entry + 4) else { break }
            if let place = Int(exactly: place) { names[id] = place }
        }
        // Threads may share one long name.
        var nameBytes = bytes.count
        for index in threads.indices where nameBytes > 0 {
            threads[index].name = names[threads[index].id].flatMap { bytes.text16($0) }
            nameBytes -= threads[index].name?.utf8.count ?? 0
        }
    }

    /// The thread that crashed: that of the exception, else the one that asked for the dump.
    var crashedThread: UInt32? { exception?.thread ?? requester }
}

/// The reason why a file cannot be read as a minidump.
package enum MinidumpError: Error, Equatable, CustomStringConvertible {
    case unknownFormat
    case unknownVersion
    case truncated
    case withoutSystem
    case withoutThreads

    package var description: String {
        switch self {
        case .unknownFormat: "it is not a minidump"
        case .unknownVersion: "its version is unknown"
        case .truncated: "it is truncated"
        case .withoutSystem: "it does not name the system it is from"
        case .withoutThreads: "it has neither threads nor an exception"
        }
    }
}

/// The entries of a list in a stream: a count, padding that some writers add, and entries of one size.
struct DumpList {
    let start: Int
    let count: Int
    let width: Int

    /// Nil if the stream is too short for a count. A list that is cut off has the entries that are there.
    init?(_ bytes: DumpBytes, _ stream: Range<Int>, width: Int, most: Int) {
        guard let claimed = bytes.word32(stream.lowerBound).map(Int.init), stream.count >= 4 else { return nil }
        let room = stream.count - 4
        // Breakpad aligns the entries of 64-bit systems.
        let padding = claimed <= room / width && room - claimed * width == 4 ? 4 : 0
        start = stream.lowerBound + 4 + padding
        count = min(claimed, most, (room - padding) / width)
        self.width = width
    }

    var places: StrideTo<Int> { stride(from: start, to: start + count * width, by: width) }
}
