// SPDX-License-Identifier: Apache-2.0

import Crashes
import Foundation
import Platform
import TestSupport
import Testing

@testable import Symbols

struct SymbolFolderTests {
    private let temporary = TemporaryFolder()

    private func folder(_ change: (inout SymbolFolder.Limits) -> Void = { _ in }) throws -> SymbolFolder {
        var limits = SymbolFolder.Limits()
        limits.freeBytes = 0
        change(&limits)
        return try SymbolFolder(temporary.path + "/symbols", limits: limits)
    }

    @discardableResult private func bring(_ name: String, to folder: SymbolFolder, app: Int64 = 1, for id: DebugID? = nil) throws -> StoredSymbolFile
    {
        var upload = try folder.receive(app: app)
        let bytes = try Fixture.bytes(name)
        for start in stride(from: 0, to: bytes.count, by: 1_000) { try upload.write(Array(bytes[start..<min(start + 1_000, bytes.count)])) }
        return try upload.finish(for: id)
    }

    private func names(_ folder: SymbolFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/") }.sorted()
    }

    @Test func `a file is stored under its hash in its app's folder`() throws {
        let folder = try folder()
        let stored = try bring(Fixture.arm, to: folder, for: Fixture.armID)
        #expect(stored.bytes == 10_096 && stored.contents.objects.map(\.debugID) == [Fixture.armID])
        #expect(try names(folder) == ["1/" + stored.sum])
        let kept = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + SymbolFolder.name(app: 1, sum: stored.sum)))
        #expect([UInt8](kept) == (try Fixture.bytes(Fixture.arm)))
    }

    @Test func `equal files are stored once per app`() throws {
        let folder = try folder()
        let stored = try bring(Fixture.arm, to: folder)
        #expect(try bring(Fixture.arm, to: folder) == stored)
        try bring(Fixture.arm, to: folder, app: 2)
        #expect(try names(folder) == ["1/" + stored.sum, "2/" + stored.sum])
        try folder.remove(app: 1, sum: stored.sum)
        #expect(try names(folder) == ["2/" + stored.sum])
        #expect(try folder.apps().sorted() == [1, 2])
        try folder.keepOnly([stored.sum], app: 2)
        #expect(try names(folder) == ["2/" + stored.sum])
        try folder.keepOnly([], app: 2)
        #expect(try names(folder) == [])
    }

    @Test func `rejected and interrupted uploads leave nothing`() throws {
        let folder = try folder { $0.fileBytes = 12_000 }
        #expect(throws: SymbolFileError.unknownFormat) { try bring("Probe.cpp", to: folder) }
        #expect(throws: SymbolFileError.otherBuild([Fixture.armID])) { try bring(Fixture.arm, to: folder, for: Fixture.elfID) }
        #expect(throws: SymbolFileError.tooLarge(12_000)) { try bring(Fixture.intel, to: folder) }
        var upload = try folder.receive(app: 1)
        try upload.write([1, 2, 3])
        #expect(try names(folder).count == 1)
        _ = consume upload
        #expect(try names(folder) == [])
    }

    @Test func `the next start removes an interrupted upload`() throws {
        let path = try folder().path
        try Data([1]).write(to: URL(fileURLWithPath: path + "/incoming/0123"))
        #expect(try names(folder()) == [])
    }

    @Test func `an app has a storage limit`() throws {
        let few = try folder { $0.filesPerApp = 1 }
        try bring(Fixture.arm, to: few)
        #expect(throws: SymbolFileError.tooMany) { try bring(Fixture.elf, to: few) }
        try bring(Fixture.elf, to: few, app: 2)
        let small = try folder { $0.appBytes = 12_000 }
        #expect(throws: SymbolFileError.tooMany) { try bring(Fixture.elf, to: small) }
        try bring(Fixture.arm, to: small)
        #expect(throws: SymbolFileError.diskFull) { try bring(Fixture.arm, to: folder { $0.freeBytes = .max }) }
    }

    @Test func `the limits of a batch are checked before its first file`() throws {
        let folder = try folder { ($0.filesPerApp, $0.appBytes) = (3, 20_000) }
        try bring(Fixture.elf, to: folder)
        try folder.beginBatch(app: 1, files: 2, bytes: 10_000)
        for (files, bytes) in [(3, 0), (1, 20_000)] {
            #expect(throws: SymbolFileError.tooMany) { try folder.beginBatch(app: 1, files: files, bytes: bytes) }
        }
        var upload = try folder.receiveOfBatch(app: 1)
        try upload.write([1, 2, 3])
        let kept = try upload.finishUninspected()
        try folder.endBatch(app: 1)
        #expect(kept.bytes == 3)
        #expect(try names(folder).contains("1/" + kept.sum))
        _ = try folder.receiveOfBatch(app: 1)
        #expect(try Folder.names(in: folder.path + "/incoming").isEmpty)
    }
}
