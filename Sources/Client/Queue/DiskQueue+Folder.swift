// SPDX-License-Identifier: Apache-2.0

import Foundation

extension DiskQueue {
    static func lock(_ folder: URL) throws(SignalboxError) -> FolderLock {
        do {
            try PrivateFolder.make(folder)
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
        return try FolderLock(folder: folder.path)
    }

    static func framed(_ envelope: [UInt8]) -> [UInt8] {
        var frame = Frame.open(.envelope)
        frame += envelope
        Frame.close(&frame)
        return frame
    }

    /// Returns the segments of earlier launches, repaired and sealed, without delivered ones.
    func findSegments() -> [Segment] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let head = QueueHead.read(in: folder)
        var found: [Segment] = []
        for var segment in names.compactMap({ Segment(name: $0, bytes: size($0)) }).sorted(by: { $0.number < $1.number }) {
            do {
                if !segment.isSealed { try repair(&segment) }
            } catch {
                // Unreadable now, for example before the first unlock. Keep its number; a later launch reads it.
                found.append(segment)
                continue
            }
            if let head, head.segment == segment.number { segment.skip(records: head.records, bytes: head.bytes) }
            if segment.pending > 0 { found.append(segment) } else { delete(segment) }
        }
        return found
    }

    func path(_ segment: Segment) -> String { folder.appendingPathComponent(segment.name).path }

    func delete(_ segment: Segment) {
        try? FileManager.default.removeItem(atPath: path(segment))
    }

    private func repair(_ segment: inout Segment) throws {
        try segment.repair(in: folder)
        guard segment.records > 0 else { return }
        let before = path(segment)
        segment.isSealed = true
        rename(before, path(segment))
    }

    private func size(_ name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
