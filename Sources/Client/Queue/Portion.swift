// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The oldest records of a segment, to be sent together.
struct Portion {
    let segment: UInt64
    /// The fields that all events of it share, without braces.
    let envelope: ArraySlice<UInt8>
    let records: [Record]
    /// Where it ends, from the segment's beginning.
    let endRecords: Int
    let endBytes: Int

    /// Reads at most so many, and about so many bytes; nil where nothing whole is there. Throws where nobody can tell, for the file cannot be read now.
    init?(_ segment: Segment, in folder: URL, records limit: Int, bytes room: Int) throws {
        let handle = try FileHandle(forReadingFrom: folder.appendingPathComponent(segment.name))
        defer { try? handle.close() }
        let head = try handle.read(upToCount: min(segment.bytes, Portion.envelopeBytes)) ?? Data()
        guard let (envelope, begin) = Frame.read([UInt8](head)[...]), envelope.kind == .envelope else { return nil }
        let start = max(begin, segment.goneBytes)
        try handle.seek(toOffset: UInt64(start))
        let content = [UInt8](try handle.read(upToCount: min(segment.bytes - start, room)) ?? Data())
        var records: [Record] = []
        var end = 0
        while records.count < limit, let (record, next) = Frame.read(content[end...]) {
            records.append(record)
            end = next
        }
        guard !records.isEmpty else { return nil }
        self.segment = segment.number
        self.envelope = envelope.json
        self.records = records
        endRecords = segment.goneRecords + records.count
        endBytes = start + end
    }

    private static let envelopeBytes = 16 << 10
}
