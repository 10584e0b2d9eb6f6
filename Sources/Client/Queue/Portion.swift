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

    /// Reads at most so many, and about so many bytes; nil where nothing whole is there.
    init?(_ segment: Segment, in folder: URL, records limit: Int, bytes room: Int) {
        guard let handle = try? FileHandle(forReadingFrom: folder.appendingPathComponent(segment.name)) else { return nil }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: min(segment.bytes, Portion.envelopeBytes)),
            let (envelope, begin) = Frame.read([UInt8](head)[...]), envelope.kind == .envelope
        else { return nil }
        let start = max(begin, segment.goneBytes)
        guard (try? handle.seek(toOffset: UInt64(start))) != nil,
            let data = try? handle.read(upToCount: min(segment.bytes - start, room))
        else { return nil }
        let content = [UInt8](data)
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
