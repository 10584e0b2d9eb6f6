// SPDX-License-Identifier: Apache-2.0

import FirestoreExport
import Testing

/// Files of records, whole and damaged.
@Suite struct RecordLogTests {
    private static let sizes = [0, 1, 32_761, 32_754, 5, 40_000, 100_000, 0, 32_753, 9]

    private static func record(_ index: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) } }

    private static func file() -> [UInt8] {
        var written = WrittenExport()
        for (index, size) in sizes.enumerated() { written.add(record(index, size)) }
        return written.bytes
    }

    private static func records(_ items: [RecordLog.Item]) -> [[UInt8]] {
        items.compactMap { if case .record(let bytes, _) = $0 { bytes } else { nil } }
    }
    private static func damages(_ items: [RecordLog.Item]) -> [RecordLog.Damage] {
        items.compactMap { if case .damage(let damage, _) = $0 { damage } else { nil } }
    }

    @Test func `records of any size are read whole, at the ends of blocks as well`() {
        let items = WrittenExport.items(Self.file())
        #expect(Self.records(items) == Self.sizes.enumerated().map(Self.record) && Self.damages(items).isEmpty)
    }

    @Test func `each changed byte is found, and records of other blocks are read`() {
        let file = Self.file()
        let whole = Self.records(WrittenExport.items(file))
        for place in stride(from: 3, to: file.count, by: 1_999) {
            var changed = file
            changed[place] ^= 0x40
            let items = WrittenExport.items(changed)
            let read = Self.records(items)
            #expect(read.count < whole.count && read.allSatisfy(whole.contains), "byte \(place)")
            #expect((1...2).contains(Self.damages(items).count), "byte \(place): \(Self.damages(items))")
            // A block has parts of four records at most.
            #expect(read.count >= whole.count - 5, "byte \(place)")
        }
    }

    @Test func `a file that is cut off is read up to there`() {
        let file = Self.file()
        let whole = Self.records(WrittenExport.items(file))
        for length in stride(from: 0, to: file.count, by: 1_777) {
            let items = WrittenExport.items(Array(file[..<length]))
            let read = Self.records(items)
            #expect(read.elementsEqual(whole.prefix(read.count)) && Self.damages(items).count <= 2, "\(length)")
        }
        #expect(WrittenExport.items([]).isEmpty)
    }

    @Test func `a zeroed block is damage, and zeros behind the last record are padding`() {
        let (file, block) = (Self.file(), RecordLog.blockBytes)
        let whole = Self.records(WrittenExport.items(file))
        for start in stride(from: 0, to: file.count, by: block) {
            let end = min(start + block, file.count)
            var changed = file
            changed.replaceSubrange(start..<end, with: [UInt8](repeating: 0, count: end - start))
            let items = WrittenExport.items(changed)
            #expect(Self.damages(items).contains { [.zeros, .end].contains($0) }, "block at \(start)")
            #expect(Self.records(items).count < whole.count && Self.records(items).allSatisfy(whole.contains))
        }
        var written = WrittenExport()
        written.add([1])
        let padded = written.bytes + [UInt8](repeating: 0, count: block - written.bytes.count)
        #expect(Self.records(WrittenExport.items(padded)) == [[1]] && Self.damages(WrittenExport.items(padded)).isEmpty)
        let hole = WrittenExport.items(padded + written.bytes)
        #expect(Self.records(hole) == [[1], [1]] && Self.damages(hole) == [.zeros])
        #expect(Self.damages(WrittenExport.items([UInt8](repeating: 0, count: 2 * block))) == [.zeros, .zeros])
    }

    @Test func `fragments in a wrong order are damages, one for each record`() {
        func damages(_ kinds: [UInt8]) -> [RecordLog.Damage] {
            var written = WrittenExport()
            for kind in kinds { written.add(kind: kind, [kind]) }
            return Self.damages(WrittenExport.items(written.bytes))
        }
        #expect(damages([2, 3, 3, 4]) == [])
        #expect(damages([3, 3, 4, 1]) == [.start])
        #expect(damages([4, 4]) == [.start, .start])
        #expect(damages([2, 1]) == [.end])
        #expect(damages([2, 2, 4]) == [.end])
        #expect(damages([1, 2, 3]) == [.end])
        #expect(damages([9, 3, 4, 1]) == [.kind])
        #expect(damages([0, 1]) == [.kind])
    }

    @Test func `a record beyond the limit is skipped`() {
        #expect(RecordLog.recordBytes == 32 << 20)
        var written = WrittenExport()
        let largest = [UInt8](repeating: 7, count: 100_000)
        for record in [largest, largest + [7], [1]] { written.add(record) }
        let items = WrittenExport.items(written.bytes, recordBytes: largest.count)
        #expect(Self.records(items) == [largest, [1]] && Self.damages(items) == [.tooLarge])
    }
}
