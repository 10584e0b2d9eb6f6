// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

@Suite struct QueueTests {
    private let folder = TemporaryFolder()
    private var url: URL { URL(fileURLWithPath: folder.path) }

    @Test func `records are read in order and are deleted after removal`() throws {
        let queue = try open()
        for number in 0..<10 { _ = queue.append(frame("\(number)")) }
        let batch = try #require(try queue.next(atMost: 4))
        #expect(texts(batch) == ["0", "1", "2", "3"])
        #expect(String(decoding: batch.envelope, as: UTF8.self) == "\"e\":1")
        #expect(queue.count == 10)
        queue.remove(batch)
        #expect(queue.count == 6)
        #expect(try texts(#require(try queue.next(atMost: 100))) == ["4", "5", "6", "7", "8", "9"])
    }

    @Test func `a later launch continues at the stored position`() throws {
        do {
            let queue = try open()
            for number in 0..<10 { _ = queue.append(frame("\(number)")) }
            queue.remove(try #require(try queue.next(atMost: 7)))
        }
        let queue = try open()
        _ = queue.append(frame("10"))
        #expect(queue.count == 4)
        #expect(try drain(queue) == ["7", "8", "9", "10"])
        #expect(queue.count == 0)
    }

    @Test func `a file truncated at any byte yields its complete records and accepts new ones`() throws {
        let records = ["a", "bb", "ccc"]
        do {
            let queue = try open()
            for record in records { _ = queue.append(frame(record)) }
        }
        let name = try #require(queueFiles().first)
        let whole = try Data(contentsOf: url.appendingPathComponent(name))
        for cut in 0...whole.count {
            let place = TemporaryFolder()
            try whole.prefix(cut).write(to: URL(fileURLWithPath: place.path + "/" + name))
            let ends = [whole.count - 23, whole.count - 12, whole.count].filter { $0 <= cut }.count
            let queue = try open(place)
            #expect(queue.count == ends, "cut at \(cut)")
            _ = queue.append(frame("new"))
            #expect(try drain(queue) == records.prefix(ends) + ["new"], "cut at \(cut)")
        }
    }

    @Test func `a corrupt byte loses no earlier record`() throws {
        do {
            let queue = try open()
            for record in ["a", "bb", "ccc"] { _ = queue.append(frame(record)) }
        }
        let name = try #require(queueFiles().first)
        let whole = try Data(contentsOf: url.appendingPathComponent(name))
        for place in whole.count - 12..<whole.count {
            var damaged = whole
            damaged[place] ^= 0x40
            let other = TemporaryFolder()
            try damaged.write(to: URL(fileURLWithPath: other.path + "/" + name))
            #expect(try drain(open(other)) == ["a", "bb"], "damaged at \(place)")
        }
    }

    @Test func `unreadable files are kept and read later`() throws {
        let queue = try open(limits: QueueLimits(events: 80))
        for number in 0..<25 { _ = queue.append(frame("\(number)")) }
        let names = try queueFiles().map { url.appendingPathComponent($0).path }
        let ways: [(String) throws -> Void] = [
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0) },
            { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
        ]
        for spoil in ways {
            for name in names {
                try FileManager.default.moveItem(atPath: name, toPath: name + ".away")
                try spoil(name)
            }
            #expect(throws: SignalboxError.self) { try queue.next(atMost: 9) }
            for name in names {
                try FileManager.default.removeItem(atPath: name)
                try FileManager.default.moveItem(atPath: name + ".away", toPath: name)
            }
            #expect(queue.count == 25 && queue.dropped == 0)
        }
        #expect(try drain(queue) == (0..<25).map(String.init))
    }

    @Test func `a file unreadable at launch is kept for a later launch`() throws {
        do {
            let queue = try open()
            for number in 0..<5 { _ = queue.append(frame("\(number)")) }
        }
        let name = url.appendingPathComponent(try #require(queueFiles().first)).path
        try FileManager.default.moveItem(atPath: name, toPath: name + ".away")
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: name)
        do {
            let queue = try open()
            _ = queue.append(frame("5"))
            #expect(try drain(queue) == ["5"] && queue.dropped == 0)
        }
        try FileManager.default.removeItem(atPath: name)
        try FileManager.default.moveItem(atPath: name + ".away", toPath: name)
        #expect(try drain(open()) == (0..<5).map(String.init))
    }

    @Test func `a deleted file is counted as dropped and does not block later ones`() throws {
        let queue = try open(limits: QueueLimits(events: 80))
        for number in 0..<25 { _ = queue.append(frame("\(number)")) }
        try FileManager.default.removeItem(atPath: url.appendingPathComponent(try #require(queueFiles().first)).path)
        #expect(try drain(queue) == (10..<25).map(String.init))
        #expect(queue.dropped == 10)
    }

    @Test func `sealing during a read loses no record`() async throws {
        // Each record seals the one before it.
        let queue = try open(limits: QueueLimits(events: 8))
        _ = queue.append(frame("first"))
        let name = url.path + "/" + (try #require(queueFiles().first))
        try FileManager.default.moveItem(atPath: name, toPath: name + ".away")
        #expect(mkfifo(name, 0o600) == 0)
        let read = Heard<[String]>()
        Thread.detachNewThread { read.hear((try? queue.next(atMost: 1)).map(texts) ?? []) }
        // Returns when the other end is open; nothing is read from it before this end is closed.
        let end = try #require(FileHandle(forWritingAtPath: name))
        _ = queue.append(frame("second"))
        let sealed = url.path + "/" + (try #require(queueFiles().first { $0.hasSuffix(".sealed") }))
        #expect(rename(name + ".away", sealed) == 0)
        try end.close()
        #expect(try await eventually { read.all == [["first"]] })
        #expect(try drain(queue) == ["first", "second"] && queue.dropped == 0)
    }

    @Test func `beyond the limit the oldest records are dropped and counted`() throws {
        let queue = try open(limits: QueueLimits(events: 80))
        for number in 0..<1_000 { _ = queue.append(frame("\(number)")) }
        #expect(queue.count <= 80 && queue.count > 60)
        #expect(queue.dropped == 1_000 - queue.count)
        let left = try drain(queue)
        #expect(left == (1_000 - left.count..<1_000).map(String.init))
    }

    @Test func `the byte limit holds on disk`() throws {
        let queue = try open(limits: QueueLimits(bytes: 64 << 10))
        for _ in 0..<1_000 { _ = queue.append(frame(String(repeating: "x", count: 500))) }
        let bytes = try queueFiles().reduce(0) { try $0 + Data(contentsOf: url.appendingPathComponent($1)).count }
        #expect(bytes <= 64 << 10 && bytes > 40 << 10)
        #expect(queue.dropped + queue.count == 1_000)
    }

    @Test func `records removed during a read are counted once`() throws {
        let queue = try open(limits: QueueLimits(events: 16))
        _ = queue.append(frame("first"))
        let batch = try #require(try queue.next(atMost: 1))
        for number in 0..<100 { _ = queue.append(frame("\(number)")) }
        let before = queue.count
        queue.remove(batch)
        #expect(queue.count == before)
    }

    @Test func `a buffered queue is complete after a write and bounded in memory`() throws {
        let queue = try open(isDurable: false)
        for number in 0..<5 { _ = queue.append(frame("\(number)")) }
        #expect(try queue.next(atMost: 10) == nil)
        #expect(queue.count == 5)
        #expect(queue.write())
        #expect(try texts(#require(try queue.next(atMost: 10))) == ["0", "1", "2", "3", "4"])
        let large = frame(String(repeating: "x", count: 50_000))
        for _ in 0..<40 { _ = queue.append(large) }
        #expect(queue.dropped > 0 && queue.count + queue.dropped == 45)
    }

    @Test(arguments: [false, true])
    func `records that cannot be written stay in memory up to 1 MiB and are written first later`(isDurable: Bool) throws {
        let queue = try open(isDurable: isDurable)
        let large = String(repeating: "x", count: 50_000)
        try withoutFolder {
            for number in 0..<40 {
                _ = queue.append(frame("\(number) \(large)"))
                #expect(!queue.write())
            }
            #expect(queue.count == (1 << 20) / (50_000 + 12) && queue.count + queue.dropped == 40)
        }
        let held = queue.count
        _ = queue.append(frame("small"))
        #expect(queue.write())
        #expect(try drain(queue).map { $0.prefix { $0 != " " } } == (0..<held).map { "\($0)" } + ["small"])
        #expect(queue.dropped == 40 - held)
    }

    @Test func `records that cannot be written at close are dropped and counted`() throws {
        let queue = try open()
        try withoutFolder {
            _ = queue.append(frame("a"))
            queue.close()
            _ = queue.append(frame("b"))
        }
        #expect(queue.count == 0 && queue.dropped == 2)
    }

    @Test func `deleted records do not reappear, also after a relaunch`() throws {
        do {
            let queue = try open()
            for number in 0..<5 { _ = queue.append(frame("\(number)")) }
            queue.removeAll(envelope: Array("\"e\":2".utf8))
            #expect(queue.count == 0)
            #expect(try queueFiles() == [])
            _ = queue.append(frame("after"))
            #expect(String(decoding: try #require(try queue.next(atMost: 9)).envelope, as: UTF8.self) == "\"e\":2")
        }
        #expect(try drain(open()) == ["after"])
    }

    @Test func `a folder has one owner`() throws {
        let queue = try open()
        #expect(throws: SignalboxError.folderInUse(path: folder.path)) { try open() }
        #expect(queue.count == 0)
    }

    // MARK: Helpers

    private func open(_ place: TemporaryFolder? = nil, limits: QueueLimits = QueueLimits(), isDurable: Bool = true) throws -> DiskQueue {
        let url = place.map { URL(fileURLWithPath: $0.path) } ?? self.url
        let owner = try DiskQueue.lock(url)
        return DiskQueue(folder: url, owner: owner, limits: limits, isDurable: isDurable, envelope: Array("\"e\":1".utf8))
    }

    /// Makes creating files fail during the closure, as on a full disk.
    private func withoutFolder(_ body: () throws -> Void) throws {
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-away")
        defer { try? FileManager.default.moveItem(atPath: folder.path + "-away", toPath: folder.path) }
        try body()
    }

    private func frame(_ text: String) -> [UInt8] {
        var frame = Frame.open(.event)
        frame += text.utf8
        Frame.close(&frame)
        return frame
    }

    private func texts(_ batch: RecordBatch) -> [String] {
        batch.records.map { String(decoding: $0.json, as: UTF8.self) }
    }

    private func drain(_ queue: DiskQueue) throws -> [String] {
        var out: [String] = []
        while let batch = try queue.next(atMost: 3) {
            out += texts(batch)
            queue.remove(batch)
        }
        return out
    }

    private func queueFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".open") || $0.hasSuffix(".sealed") }.sorted()
    }
}
