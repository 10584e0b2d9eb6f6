// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

@testable import Symbols

struct SymbolicationTests {
    private let symbolizer = Symbolizer(
        folder: Fixture.folder, program: Symbolizer.program(in: ""),
        demangler: Demangler(.confined("demangle")))
    private let start: UInt64 = 0x1_0400_0000

    private func image(_ id: DebugID?, at address: UInt64, _ file: String = "/private/var/containers/Shop.app/Shop", size: UInt64? = 0x1000)
        -> BinaryImage
    {
        var image = BinaryImage()
        (image.debugID, image.address, image.size, image.codeFile, image.type) = (id, address, size, file, "macho")
        return image
    }

    private func report(_ addresses: UInt64..., images: [BinaryImage]? = nil) -> CrashReport {
        var report = CrashReport(id: "a", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "EXC_BAD_ACCESS")
        report.images = images ?? [image(Fixture.armID, at: start)]
        var exception = CrashException()
        exception.frames = addresses.map { address in
            var frame = StackFrame()
            frame.address = address
            return frame
        }
        report.exceptions = [exception]
        return report
    }

    private func symbolicated(_ report: CrashReport, _ files: [DebugID: String] = [Fixture.armID: Fixture.arm]) throws -> CrashReport {
        try Symbolication.of(report, with: symbolizer) { files[$0] }
    }

    private func functions(_ report: CrashReport) -> [String?] { report.exceptions[0].frames.map(\.function) }

    @Test func `frames get functions, lines and inlined frames`() throws {
        // `main`, and the first address in `entry`, where `price` is inlined by way of `checkout`.
        let frames = try symbolicated(report(start + 0x2d8, start + 0x2c4)).exceptions[0].frames
        #expect(frames.map(\.function) == ["main", "entry", "shop::Cart::checkout(int)", "shop::price(int)"])
        #expect(frames.map(\.rawFunction) == [nil, nil, "_ZN4shop4Cart8checkoutEi", "_ZN4shopL5priceEi"])
        #expect(frames.map(\.line) == [27, 23, 15, 11])
        #expect(frames.map(\.isInline) == [false, false, true, true])
        #expect(frames.allSatisfy { $0.symbolication == .found && $0.file == "Probe.cpp" && $0.absolutePath == "/src/Probe.cpp" })
        #expect(frames.map(\.address) == [start + 0x2d8] + [UInt64](repeating: start + 0x2c4, count: 3))
    }

    /// `main` follows `entry` directly: a return address at its start belongs to a call in `entry`.
    @Test func `a caller's address is a return address`() throws {
        #expect(try functions(symbolicated(report(start + 0x2d4, start + 0x2d4))) == ["entry", "main"])
    }

    @Test func `symbolication is idempotent`() throws {
        let once = try symbolicated(report(start + 0x2d8, start + 0x2c4))
        #expect(try symbolicated(once) == once)
    }

    @Test func `files added one by one give the same result as all at once`() throws {
        let other = start + 0x10_0000
        let report = report(other + 0x358, start + 0x2c4, images: [image(Fixture.intelID, at: other), image(Fixture.armID, at: start)])
        let files = [Fixture.armID: Fixture.arm, Fixture.intelID: Fixture.intel]
        let first = try symbolicated(report)
        #expect(first.exceptions[0].frames.map(\.symbolication) == [.missing, .found, .found, .found])
        #expect(try symbolicated(first, files) == symbolicated(report, files))
    }

    @Test func `every stack of a report is symbolicated`() throws {
        var report = report(start + 0x2d4)
        var thread = CrashThread()
        thread.frames = report.exceptions[0].frames
        report.threads = [thread]
        report.frames = thread.frames
        let done = try symbolicated(report)
        #expect(done.threads[0].frames.map(\.function) == ["main"] && done.frames.map(\.function) == ["main"])
    }

    @Test func `frames without a symbol file state the reason`() throws {
        let images = [
            image(Fixture.armID, at: start), image(nil, at: start + 0x10_0000), image(Fixture.elfID, at: start + 0x20_0000),
            image(Fixture.intelID, at: start + 0x30_0000, "/System/Library/Frameworks/UIKit.framework/UIKit"),
        ]
        let addresses = [start + 0x20, start + 0x10_0020, start + 0x20_0020, start + 0x30_0020, 0x10, start + 0x5000]
        var report = report(images: images)
        report.exceptions[0].frames = addresses.map { address in
            var frame = StackFrame()
            (frame.address, frame.function) = (address, "as it came")
            return frame
        }
        let done = try symbolicated(report)
        #expect(done.exceptions[0].frames.map(\.symbolication) == [.unknown, .none, .missing, .none, .none, .none])
        #expect(done.exceptions[0].frames.allSatisfy { $0.function == "as it came" })
    }

    @Test func `an image without a size extends to the next`() throws {
        let images = [image(Fixture.intelID, at: start + 0x300), image(Fixture.armID, at: start, size: nil)]
        let files = [Fixture.armID: Fixture.arm, Fixture.intelID: Fixture.intel]
        #expect(try functions(symbolicated(report(start + 0x2d9, images: images), files)) == ["main"])
        #expect(try functions(symbolicated(report(start + 0x300 + 0x371, images: images), files)) == ["main"])
    }

    @Test func `a stack grows to its limit, frames near the crash first`() throws {
        var report = report(start + 0x2c4)
        report.exceptions[0].frames = [StackFrame](repeating: report.exceptions[0].frames[0], count: CrashLimits.threadFrames - 1)
        let frames = try symbolicated(report).exceptions[0].frames
        #expect(frames.count == CrashLimits.threadFrames)
        #expect(frames.suffix(2).map(\.line) == [23, 15] && frames.dropLast().allSatisfy { !$0.isInline })
    }

    @Test func `extreme addresses never trap`() throws {
        let images = [image(Fixture.armID, at: 0, size: .max), image(Fixture.armID, at: .max, size: 5)]
        #expect(try functions(symbolicated(report(0, .max, 0, images: images))) == [nil, nil, nil])
    }
}
