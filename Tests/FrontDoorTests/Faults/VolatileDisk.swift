// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
import TestSupport

/// A disk with POSIX guarantees only: each unsynced write may be lost or kept, regardless of the order.
struct VolatileDisk {
    private enum Name: Equatable {
        case file(Int)
        case folder
    }

    /// A change of names in a folder that happens completely or not at all.
    private struct Renaming {
        var place: Int
        var names: [(name: String, Name?)]
    }

    private struct Contents {
        var synced: [String: Name] = [:]
        var pending: [Renaming] = []
        var now: [String: Name] = [:]
    }

    private var files: [VolatileFile] = []
    private var byNumber: [UInt64: Int] = [:]
    private var folders: [String: Contents] = [:]
    private let root: String

    /// Starts with an empty root.
    init(root: String) {
        self.root = root
        folders[root] = Contents()
    }

    /// Starts with a folder and some of its current files.
    init(root: String, folder: String, files names: [String]) throws {
        self.init(root: root)
        var there: [String: Name] = [:]
        for name in names {
            let path = "\(folder)/\(name)"
            var info = stat()
            guard stat(path, &info) == 0 else { throw CocoaError(.fileNoSuchFile) }
            byNumber[UInt64(info.st_ino)] = files.count
            there[name] = .file(files.count)
            files.append(VolatileFile(holding: try Data(contentsOf: URL(fileURLWithPath: path))))
        }
        folders[folder] = Contents(synced: there, now: there)
        let name = Self.split(folder).name
        folders[root] = Contents(synced: [name: .folder], now: [name: .folder])
    }

    // MARK: Changes

    mutating func apply(_ entry: DiskJournal.Entry) {
        let place = entry.place
        switch entry.change {
        case .create(let path, let number):
            byNumber[number] = files.count
            files.append(VolatileFile())
            name([(path, .file(files.count - 1))], place)
        case .write(let bytes, let offset, let number): change(number) { $0.pending.append((place, .write(bytes, at: offset))) }
        case .truncate(let length, let number): change(number) { $0.pending.append((place, .truncate(to: length))) }
        case .sync(let number, let before): change(number) { $0.sync(before: before) }
        case .syncFolder(let path, let before): syncFolder(path, before: before)
        case .rename(let from, let to): name([(from, nil), (to, entryNow(from))], place)
        case .remove(let path): name([(path, nil)], place)
        case .makeFolder(let path):
            folders[path] = Contents()
            name([(path, .folder)], place)
        }
    }

    private mutating func change(_ number: UInt64, _ body: (inout VolatileFile) -> Void) {
        if let index = byNumber[number] { body(&files[index]) }
    }

    private mutating func name(_ changes: [(path: String, entry: Name?)], _ place: Int) {
        for (folder, group) in Dictionary(grouping: changes, by: { Self.split($0.path).folder }) {
            let names = group.map { (name: Self.split($0.path).name, $0.entry) }
            folders[folder]?.pending.append(Renaming(place: place, names: names))
            for (name, entry) in names { folders[folder]?.now[name] = entry }
        }
    }

    private mutating func syncFolder(_ path: String, before: Int) {
        guard var contents = folders[path] else { return }
        for renaming in contents.pending where renaming.place < before { renaming.names.forEach { contents.synced[$0.name] = $0.1 } }
        contents.pending.removeAll { $0.place < before }
        folders[path] = contents
    }

    private func entryNow(_ path: String) -> Name? {
        let (folder, name) = Self.split(path)
        return folders[folder]?.now[name]
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    // MARK: Power cut

    /// Writes a possible state after a power cut at this moment into a folder.
    func cut(into target: String, _ random: inout SeededGenerator) throws {
        try write(root, to: target, &random)
    }

    private func write(_ folder: String, to target: String, _ random: inout SeededGenerator) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        guard let contents = folders[folder] else { return }
        for (name, entry) in survivors(of: contents, &random).sorted(by: { $0.key < $1.key }) {
            switch entry {
            case .folder: try write("\(folder)/\(name)", to: "\(target)/\(name)", &random)
            case .file(let index): try files[index].survivor(&random).write(to: URL(fileURLWithPath: "\(target)/\(name)"))
            }
        }
    }

    /// A third of the folders loses all unsynced changes, a third keeps the first ones, a third keeps any of them.
    private func survivors(of contents: Contents, _ random: inout SeededGenerator) -> [String: Name] {
        var names = contents.synced
        let manner = Int.random(in: 0..<3, using: &random)
        let first = Int.random(in: 0...contents.pending.count, using: &random)
        for (number, renaming) in contents.pending.enumerated() {
            let isThere = manner == 1 && number < first || manner == 2 && Bool.random(using: &random)
            if isThere { for (name, entry) in renaming.names { names[name] = entry } }
        }
        return names
    }
}
