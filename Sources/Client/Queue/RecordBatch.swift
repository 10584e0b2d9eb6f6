// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The oldest records of a segment, which are sent together.
struct RecordBatch {
    let segment: UInt64
    /// The JSON fields shared by all events of the segment, without braces.
    let envelope: ArraySlice<UInt8>
    let records: [Record]
    /// The end of the batch, counted from the start of the segment.
    let endRecords: Int
    let endBytes: Int

    /// Reads up to the given number of records and bytes; `nil` if no complete record is there. Throws if the file cannot be read now.
    init?(_ segment: Segment, in folder: URL, records limit: Int, bytes room: Int) throws {
        let handle = try FileHandle(forReadingFrom: folder.appendingPathComponent(segment.name))
        defer { try? handle.close() }
        let head = try handle.read(upToCount: min(segment.bytes, RecordBatch.envelopeBytes)) ?? Data()
        guard let (envelope, begin) = Frame.read([UInt8](head)[...]), envelope.kind == .envelope else { return nil }
        let start = max(begin, segment.sentBytes)
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
        endRecords = segment.sentRecords + records.count
        endBytes = start + end
    }

    private static let envelopeBytes = 16 << 10
}
