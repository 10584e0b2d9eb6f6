// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Files without a daemon.
@Suite struct FileValueTests {
    @Test func `checksums agree with the published one, in any pieces`() {
        let text = Data("123456789".utf8)
        #expect(CRC32C.of(text).hexadecimal == "e3069283" && CRC32C.of(text).base64 == "4waSgw==")
        #expect(CRC32C.of(Data()).hexadecimal == "00000000")
        var pieces = CRC32C()
        for byte in text { pieces.add(Data([byte])) }
        #expect(pieces == CRC32C.of(text))
        #expect(CRC32C.of(Data(count: 32)).hexadecimal == "8a9136aa")
    }

    @Test func `pieces of a source are its bytes`() throws {
        let data = Data((0..<10).map { UInt8($0) }).dropFirst(2)
        let source = UploadSource.data(data)
        #expect(source.length == 8)
        #expect(try Array(source.piece(at: 6, count: 5)) == [8, 9])
        let folder = TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/f")
        try data.write(to: file)
        let onDisk = UploadSource.file(file, try UploadSource.FileState(of: file))
        #expect(try Array(onDisk.piece(at: 1, count: 3)) == [3, 4, 5])
    }

    @Test func `unfinished uploads are those of the same file and user`() throws {
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path)
        let file = url.appendingPathComponent("f")
        try Data("x".utf8).write(to: file)
        let state = try UploadSource.FileState(of: file)
        let location = try #require(URL(string: "http://127.0.0.1/v1/uploads/1/a"))
        let name = UnfinishedUpload(file: file, path: "a")
        let uploads = UnfinishedUploads(folder: url)
        uploads.add(UnfinishedUploads.Entry(upload: name, state: state, user: "ann", location: location))
        let again = UnfinishedUploads(folder: url)
        #expect(again.all == [name] && again.location(name, state, user: "ann") == location)
        #expect(again.location(name, state, user: nil) == nil)
        #expect(again.location(UnfinishedUpload(file: file, path: "b"), state, user: "ann") == nil)
        var later = state
        later.modified += 1
        #expect(again.location(name, later, user: "ann") == nil)
        for number in 0..<120 {
            let upload = UnfinishedUpload(file: file, path: "p\(number)")
            again.add(UnfinishedUploads.Entry(upload: upload, state: state, user: "ann", location: location))
        }
        #expect(again.all.count == UnfinishedUploads.maxEntries && again.all.last?.path == "p119")
        again.remove(location)
        #expect(UnfinishedUploads(folder: url).all.isEmpty)
    }

    @Test func `the list of transfers survives, moves with the app's folder, and has a limit`() throws {
        let folder = TemporaryFolder()
        let (url, list) = (URL(fileURLWithPath: folder.path), folder.path + "/transfers.json")
        let home = NSHomeDirectory()
        let record = TransferRecord(
            transfer: FileTransfer(direction: .upload, file: URL(fileURLWithPath: home + "/Documents/f"), path: "a"), user: "ann", crc32c: "00000000")
        let records = TransferRecords(folder: url)
        try records.add(record)
        try records.change(record.transfer.id) { $0.transfer.state = .failed(reason: "x") }
        #expect(TransferRecords(folder: url).all.first?.transfer.state == .failed(reason: "x"))

        let text = try String(contentsOfFile: list, encoding: .utf8).replacing("\\/", with: "/")
        try text.replacing(home, with: "/var/containers/earlier").write(toFile: list, atomically: true, encoding: .utf8)
        #expect(TransferRecords(folder: url).all.first?.transfer.file.path == home + "/Documents/f")

        for number in 1..<TransferRecords.maxRecords {
            try records.add(TransferRecord(transfer: FileTransfer(direction: .download, file: url, path: "p\(number)")))
        }
        #expect(throws: FilesError.self) { try records.add(TransferRecord(transfer: FileTransfer(direction: .download, file: url, path: "more"))) }
        #expect(try records.remove(record.transfer.id)?.user == "ann")
        #expect(throws: FilesError.cancelled) { try records.change(record.transfer.id) { $0.isBegun = true } }
        try "damaged".write(toFile: list, atomically: true, encoding: .utf8)
        #expect(TransferRecords(folder: url).all.isEmpty)
    }

    @Test func `in-memory files behave like the daemon's`() async throws {
        let files = InMemoryFiles()
        let folder = TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/f")
        let url = try await files.uploadFile(Data("one".utf8), "users/ann/a.txt")
        #expect(url.absoluteString == "memory:///users/ann/a.txt")
        try await files.upload(Data("two".utf8), to: "users/b.txt", options: UploadOptions(contentType: "text/plain", metadata: ["a": "1"]))
        #expect(try await files.downloadFile("users/ann/a.txt") == Data("one".utf8))
        let details = try await files.metadata("users/b.txt")
        #expect(details.contentType == "text/plain" && details.metadata == ["a": "1"] && details.size == 3)
        let list = try await files.list("users/")
        #expect(list.items.map(\.path) == ["users/b.txt"] && list.folders == ["users/ann/"])
        try await files.download("users/b.txt", to: file)
        try await files.upload(file: file, to: "copy")
        #expect(try await files.downloadFile("copy") == Data("two".utf8))
        await #expect(throws: FilesError.tooLarge(bytes: 3)) { try await files.download("copy", maxBytes: 2) }
        try await files.deleteFile("copy")
        await #expect(throws: FilesError.notFound) { try await files.deleteFile("copy") }
        await #expect(throws: FilesError.badPath) { try await files.uploadFile(Data(), "a//b") }
        files.fail(with: .permissionDenied)
        await #expect(throws: FilesError.permissionDenied) { try await files.list() }
    }
}
