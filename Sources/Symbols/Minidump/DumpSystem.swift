// SPDX-License-Identifier: Apache-2.0

/// The system and processor on which a dump was written.
struct DumpSystem: Sendable {
    enum Platform: Sendable {
        case windows
        case macOS
        case iOS
        case linux
        case android
        case other

        init(number: UInt32) {
            switch number {
            case 0...3: self = .windows
            case 0x8101: self = .macOS
            case 0x8102: self = .iOS
            case 0x8201: self = .linux
            case 0x8203: self = .android
            default: self = .other
            }
        }
    }

    private(set) var processor: Processor?
    private(set) var platform = Platform.other
    /// The version, such as `10.0.19045` or `4.9.60-linuxkit-aufs`.
    private(set) var version: String?

    init() {}

    init?(_ bytes: DumpBytes, _ stream: Range<Int>) {
        let start = stream.lowerBound
        guard let processor = bytes.word16(start), let major = bytes.word32(start + 8), let minor = bytes.word32(start + 12),
            let build = bytes.word32(start + 16), let platform = bytes.word32(start + 20), stream.count >= 24
        else { return nil }
        self.processor = Processor(number: processor)
        self.platform = Platform(number: platform)
        let details = bytes.place(start + 24).flatMap { bytes.text16($0) } ?? ""
        switch self.platform {
        case .linux, .android, .other: version = DumpSystem.kernel(details)
        case .windows, .macOS, .iOS: version = "\(major).\(minor).\(build)"
        }
        if version == nil, major > 0 { version = "\(major).\(minor).\(build)" }
    }

    /// Reads the version in `Linux 4.9.60-linuxkit-aufs #1 SMP …`, or in what `uname -srvm` prints of another kernel.
    private static func kernel(_ text: String) -> String? {
        let words = text.utf8.split(separator: 0x20, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 1, words[1].utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return nil }
        return words[1]
    }

    /// Reads the distribution's version from `DISTRIB_RELEASE=16.04` or `VERSION_ID="16.04"` if there is no other.
    mutating func readRelease(_ text: String) {
        guard version == nil else { return }
        for line in text.utf8.split(separator: 0x0a) {
            let pair = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard pair.count == 2, ["DISTRIB_RELEASE", "VERSION_ID"].contains(where: { pair[0].elementsEqual($0.utf8) }) else { continue }
            version = String(decoding: pair[1].filter { $0 != UInt8(ascii: "\"") }.prefix(64), as: UTF8.self)
        }
    }

    var isApple: Bool { platform == .macOS || platform == .iOS }

    /// The format of the system's binaries.
    var imageType: String {
        switch platform {
        case .windows: "pe"
        case .macOS, .iOS: "macho"
        case .linux, .android, .other: "elf"
        }
    }

    /// The name of the platform as our own clients report it.
    var name: String? {
        switch platform {
        case .windows: "windows"
        case .macOS: "macos"
        case .iOS: "ios"
        case .linux: "linux"
        case .android: "android"
        case .other: nil
        }
    }
}
