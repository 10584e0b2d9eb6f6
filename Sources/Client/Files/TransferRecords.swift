// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The list of transfers in the client's folder. A change is durable once its call has returned.
final class TransferRecords: Sendable {
    private struct Content: Codable {
        /// The app's home folder, which is another one after an update of an app on iOS.
        var home: String
        var records: [TransferRecord]
    }

    static let maxRecords = 100
    let updates = ValueUpdates<[FileTransfer]>([])
    let file: URL
    /// `nil` until the file is read.
    private let records = Locked<[TransferRecord]?>(nil)
    /// Held while the file is read or written, and taken before `records`, so that readers do not wait for the disk.
    private let writing = Locked(())

    init(folder: URL) {
        file = folder.appendingPathComponent("transfers.json")
        try? load()
    }

    var all: [TransferRecord] { records.withLock { $0 ?? [] } }

    subscript(id: String) -> TransferRecord? { all.first { $0.transfer.id == id } }

    /// Reads the file unless that is done. Throws if it cannot be read now, as before the first unlock of a device.
    func load() throws(FilesError) {
        try writing.withLock { _ throws(FilesError) in _ = try read() }
    }

    func add(_ record: TransferRecord) throws(FilesError) {
        try change { (records) throws(FilesError) in
            guard records.count < TransferRecords.maxRecords else {
                throw .signalbox(.rejected(code: "too_many_transfers", detail: "The list has \(TransferRecords.maxRecords) transfers."))
            }
            records.append(record)
        }
    }

    /// Changes a record. Throws ``FilesError/cancelled`` if it was removed.
    func change(_ id: String, _ body: (inout TransferRecord) -> Void) throws(FilesError) {
        try change { (records) throws(FilesError) in
            guard let index = records.firstIndex(where: { $0.transfer.id == id }) else { throw .cancelled }
            body(&records[index])
        }
    }

    /// Returns the removed record.
    func remove(_ id: String) throws(FilesError) -> TransferRecord? {
        var removed: TransferRecord?
        try change { (records) throws(FilesError) in
            guard let index = records.firstIndex(where: { $0.transfer.id == id }) else { return }
            removed = records.remove(at: index)
        }
        return removed
    }

    private func change(_ body: (inout [TransferRecord]) throws(FilesError) -> Void) throws(FilesError) {
        try writing.withLock { _ throws(FilesError) in
            let before = try read()
            var changed = before
            try body(&changed)
            guard changed != before else { return }
            try write(changed)
            show(changed)
        }
    }

    private func show(_ list: [TransferRecord]) {
        records.withLock { $0 = list }
        updates.send(list.map(\.transfer))
    }

    // MARK: The file

    private func read() throws(FilesError) -> [TransferRecord] {
        if let known = records.withLock({ $0 }) { return known }
        let list: [TransferRecord]
        do {
            list = TransferRecords.decoded(try Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            list = []
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
        show(list)
        return list
    }

    /// Returns no records of a damaged file, since waiting does not bring them back.
    private static func decoded(_ data: Data) -> [TransferRecord] {
        guard var content = try? JSONDecoder().decode(Content.self, from: data) else { return [] }
        let home = NSHomeDirectory()
        for index in content.records.indices where content.home != home {
            let path = content.records[index].transfer.file.path
            if path.hasPrefix(content.home + "/") {
                content.records[index].transfer.file = URL(fileURLWithPath: home + path.dropFirst(content.home.count))
            }
        }
        return content.records
    }

    private func write(_ list: [TransferRecord]) throws(FilesError) {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try JSONEncoder().encode(Content(home: NSHomeDirectory(), records: list)))
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
        guard AppendFile.replace(file.path, with: bytes) else { throw .fileUnusable(path: file.path, reason: String(cString: strerror(errno))) }
    }
}
