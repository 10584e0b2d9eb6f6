// SPDX-License-Identifier: Apache-2.0

import FirestoreExport
import Platform
import SignalboxDocumentModel

/// The documents in the files of a managed export of Firestore, in the order of the files.
///
///     2026-11-26T10:00:00_123/2026-11-26T10:00:00_123.overall_export_metadata
///     2026-11-26T10:00:00_123/all_namespaces/all_kinds/output-0
struct FirestoreFolder {
    enum Entry {
        case document(ExportedEntity)
        /// A record that is no document: its path or place, and the reason.
        case refused(String, String)
    }

    private static let mostFiles = 100_000
    private static let depth = 8

    private let root: String
    private var files: [String]
    private var open: (file: File, name: String, offset: Int, log: RecordLog)?
    private var entries: [Entry] = []

    /// Finds the files. The one that Firestore writes last must be there.
    init(_ path: String) throws {
        root = path
        let hint = "Name the folder that Firestore made in the bucket, copied with `gcloud storage cp --recursive`."
        let names: [String]
        do throws(FileError) { names = try Folder.names(in: path) } catch { throw Failure("Could not read \(path): \(error).", hint: hint) }
        guard names.contains(where: { $0.hasSuffix(".overall_export_metadata") }) else {
            throw Failure("\(path) has no file .overall_export_metadata, so it is no whole export.", hint: hint)
        }
        files = []
        try find(in: "", names)
        guard !files.isEmpty else { throw Failure("\(path) has no files output-0, output-1, ….", hint: hint) }
        files.sort { Self.order($0) < Self.order($1) }
        files.reverse()
    }

    /// Output files in a folder and those within it. Names are relative to the export.
    ///
    /// Links are refused, as the command may run as another user than the one who owns the folder: a link would read that user's files.
    private mutating func find(in folder: String, _ names: [String], depth: Int = 0) throws {
        for name in names {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            guard !Folder.isLink("\(root)/\(path)") else {
                throw Failure("\(root)/\(path) is a symbolic link, and an export has none.", hint: "Copy the files themselves into the folder.")
            }
            if name.hasPrefix("output-") {
                files.append(path)
                guard files.count <= Self.mostFiles else { throw Failure("\(root) has more than \(Self.mostFiles) files.", hint: nil) }
            } else if depth < Self.depth, let inner = try? Folder.names(in: "\(root)/\(path)", followsLink: false) {
                try find(in: path, inner, depth: depth + 1)
            }
        }
    }

    /// `output-10` comes after `output-9`.
    private static func order(_ path: String) -> (String, Int, String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return (String(path.dropLast(name.count)), Int(name.dropFirst("output-".count)) ?? Int.max, name)
    }

    /// The next record; nil after the last one.
    mutating func next() throws -> Entry? {
        while entries.isEmpty {
            guard try readMore() else { return nil }
            entries.reverse()
        }
        return entries.removeLast()
    }

    /// Reads a block. False after the last one of the last file.
    private mutating func readMore() throws -> Bool {
        do throws(FileError) {
            if open == nil {
                guard let name = files.popLast() else { return false }
                open = (try File("\(root)/\(name)", .readNoLink), name, 0, RecordLog())
            }
            guard let reading = open else { return false }
            let block = try reading.file.read(at: reading.offset, count: RecordLog.blockBytes)
            var log = reading.log
            let isLast = block.count < RecordLog.blockBytes
            let items = log.read(block[...]) + (isLast ? log.finish() : [])
            open = isLast ? nil : (reading.file, reading.name, reading.offset + block.count, log)
            for item in items { add(item, reading.name) }
            return true
        } catch { throw Failure("Could not read the export: \(error).", hint: "Copy the folder again.") }
    }

    private mutating func add(_ item: RecordLog.Item, _ file: String) {
        switch item {
        case .damage(let damage, let offset): entries.append(.refused("\(file) at byte \(offset)", damage.rawValue))
        case .record(let bytes, let offset):
            do throws(EntityFault) { entries.append(.document(try ExportedEntity(bytes))) } catch {
                let path = ExportedEntity.path(of: bytes)?.description
                entries.append(.refused(path ?? "\(file) at byte \(offset)", error.rawValue))
            }
        }
    }
}
