// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// The complete records of a report file written by the signal handler.
struct CrashFile {
    struct Image {
        var facts: csignalbox_image
        var path: String

        var id: [UInt8] { withUnsafeBytes(of: facts.id) { Array($0.prefix(Int(facts.id_count))) } }

        func holds(_ address: UInt64) -> Bool { address >= facts.address && address - facts.address < facts.size }
    }

    private(set) var crash: csignalbox_crash?
    /// Return addresses, newest first. If the stack was too deep, its oldest frames are in `firstFrames`, in the same order.
    private(set) var frames: [UInt64] = []
    private(set) var firstFrames: [UInt64] = []
    private(set) var images: [Image] = []
    private var notes: [UInt32: ArraySlice<UInt8>] = [:]

    /// The size limit of a report file in bytes.
    static let limit = 2 << 20
    private static let magic = Array("SBCRASH1".utf8)
    private static let head = 8

    /// Parses complete records from the start; `nil` if the file is not a report.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= CrashFile.limit, bytes.starts(with: CrashFile.magic) else { return nil }
        var rest = bytes[CrashFile.magic.count...]
        while rest.count >= CrashFile.head {
            let (kind, count) = (rest.value(UInt32.self), Int(rest.dropFirst(4).value(UInt32.self)))
            guard count <= rest.count - CrashFile.head, kind != CSIGNALBOX_END.rawValue else { return }
            let start = rest.startIndex + CrashFile.head
            read(kind, rest[start..<start + count])
            rest = rest[(start + count)...]
        }
    }

    func note(_ kind: csignalbox_record) -> ArraySlice<UInt8> { notes[kind.rawValue] ?? [] }

    /// A note as text; `nil` if it is empty.
    func text(_ kind: csignalbox_record) -> String? {
        let note = note(kind)
        return note.isEmpty ? nil : String(decoding: note, as: UTF8.self)
    }

    private mutating func read(_ kind: UInt32, _ record: ArraySlice<UInt8>) {
        switch kind {
        case CSIGNALBOX_CRASH.rawValue:
            if record.count == MemoryLayout<csignalbox_crash>.size { crash = record.value(csignalbox_crash.self) }
        case CSIGNALBOX_FRAMES.rawValue: frames = record.values()
        case CSIGNALBOX_FIRST_FRAMES.rawValue: firstFrames = record.values()
        case CSIGNALBOX_IMAGE.rawValue:
            let size = MemoryLayout<csignalbox_image>.size
            guard record.count >= size else { return }
            images.append(Image(facts: record.value(csignalbox_image.self), path: String(decoding: record.dropFirst(size), as: UTF8.self)))
        default: notes[kind] = record
        }
    }
}

extension ArraySlice<UInt8> {
    /// Loads a plain value. The caller has checked the length.
    fileprivate func value<Value: BitwiseCopyable>(_: Value.Type) -> Value {
        withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    fileprivate func values() -> [UInt64] {
        stride(from: startIndex, to: endIndex - 7, by: 8).map { self[$0...].value(UInt64.self) }
    }
}
