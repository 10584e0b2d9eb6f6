// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct SymbolicationTests {
    private static let app = CrashWorld.app
    private static let debugID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"

    static func image(_ id: String) -> BinaryImage {
        var image = BinaryImage()
        (image.debugID, image.address, image.size, image.codeFile, image.architecture) = (DebugID(id), 0x1000, 0x1000, "Shop", "arm64")
        return image
    }

    static func report(_ world: CrashWorld, _ id: String, _ images: BinaryImage...) -> CrashReport {
        var report = world.report(id, images: images)
        var frame = StackFrame()
        frame.address = 0x1234
        report.frames = [frame]
        return report
    }

    static func symbols(_ id: String, sum: String = "abc") -> StoredSymbols {
        StoredSymbols(
            debugID: id, sha256: sum, format: "macho", architecture: "arm64", name: "Shop", bytes: 10, created: CrashWorld.start)
    }

    /// Claims all reports that are due.
    static func claim(_ world: CrashWorld) async throws -> [CrashToSymbolicate] {
        for _ in 0..<20 { try await world.crashes.change { _ in } }
        var claimed: [CrashToSymbolicate] = []
        while let crash = try await world.crashes.claimForSymbols(until: world.clock.now + .minutes(1)) { claimed.append(crash) }
        return claimed
    }

    @Test func `missing symbols are listed, and their reports are claimed after the upload`() async throws {
        var bounds = CrashBounds()
        bounds.chunk = 2
        try await CrashWorld.run(bounds) { world in
            for number in 0..<5 { try await world.take([Self.report(world, "\(number)", Self.image(Self.debugID))], CrashWorld.group("raw")) }
            try await world.take([world.report("other", images: [Self.image(Self.debugID)])], CrashWorld.group("raw"))
            let missing = try await world.crashes.missingSymbols(app: Self.app, limit: 10)
            #expect(
                missing.map(\.debugID) == [Self.debugID] && missing[0].crashes == 5 && missing[0].name == "Shop" && missing[0].architecture == "arm64"
            )
            #expect(try await Self.claim(world).isEmpty)
            #expect(try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app).isEmpty)
            let claimed = try await Self.claim(world)
            #expect(claimed.map(\.id).sorted() == ["0", "1", "2", "3", "4"] && claimed[0].payload == Array(#"{"id":"0"}"#.utf8))
            #expect(try await world.crashes.missingSymbols(app: Self.app, limit: 10).isEmpty)
            #expect(try await Self.claim(world).isEmpty)
            // Leases expire, and after three attempts the report is given up.
            for tries in 2...4 {
                world.clock.advance(by: .minutes(2))
                #expect(try await Self.claim(world).count == (tries < 4 ? 5 : 0))
            }
            // A later report is queued at once.
            try await world.take([Self.report(world, "late", Self.image(Self.debugID))], CrashWorld.group("raw"))
            #expect(try await Self.claim(world).map(\.id) == ["late"])
            try await world.expectWhole()
        }
    }

    @Test func `symbols uploaded during a symbolication requeue the report`() async throws {
        try await CrashWorld.run { world in
            let other = "11111111-1111-1111-1111-111111111111"
            var image = Self.image(other)
            image.address = 0x5000
            var report = Self.report(world, "1", Self.image(Self.debugID), image)
            var frame = StackFrame()
            frame.address = 0x5001
            report.frames.append(frame)
            try await world.take([report], CrashWorld.group("raw"))
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            let begun = try await Self.claim(world)
            _ = try await world.crashes.bring([Self.symbols(other)], app: Self.app)
            for _ in 0..<20 { try await world.crashes.change { _ in } }
            try await world.crashes.symbolicated(begun[0].row, payload: [1], group: CrashWorld.group("half"))
            #expect(try await world.crashes.crash("1", app: Self.app)?.crash.symbols == .waiting)
            #expect(try await Self.claim(world).map(\.id) == ["1"])
        }
    }

    @Test func `an image without a size extends to the next image`() async throws {
        try await CrashWorld.run { world in
            let (endless, next) = (Self.debugID, "11111111-1111-1111-1111-111111111111")
            var images = [Self.image(endless), Self.image(next)]
            (images[0].size, images[1].address) = (nil, 0x1800)
            try await world.take([Self.report(world, "1", images[0], images[1])], CrashWorld.group("raw"))
            images[0].size = 0
            try await world.take([Self.report(world, "2", images[1], images[0])], CrashWorld.group("raw"))
            images[1].address = 0x1100
            try await world.take([Self.report(world, "3", images[0], images[1])], CrashWorld.group("raw"))
            let missing = try await world.crashes.missingSymbols(app: Self.app, limit: 10)
            #expect(missing.map(\.debugID) == [endless, next] && missing.map(\.crashes) == [2, 1])
            _ = try await world.crashes.bring([Self.symbols(endless)], app: Self.app)
            #expect(try await Self.claim(world).map(\.id) == ["1", "2"])
        }
    }

    @Test func `a report that crashes the daemon three times is given up, and others are not`() async throws {
        let folder = TemporaryFolder()
        for tries in 1...4 {
            try await CrashWorld.run(in: folder) { world in
                if tries == 1 {
                    let reports = ["deadly", "harmless"].map { Self.report(world, $0, Self.image(Self.debugID)) }
                    try await world.take(reports, CrashWorld.group("raw"))
                    _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
                    for _ in 0..<20 { try await world.crashes.change { _ in } }
                }
                let claimed = try #require(try await world.crashes.claimForSymbols(until: world.clock.now + .minutes(1)))
                #expect(claimed.id == (tries < 4 ? "deadly" : "harmless"))
            }
        }
    }

    @Test func `a released report keeps its attempts and is due when its lease ends`() async throws {
        try await CrashWorld.run { world in
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            try await world.take([Self.report(world, "1", Self.image(Self.debugID))], CrashWorld.group("raw"))
            for _ in 0..<5 {
                let claimed = try await Self.claim(world)
                try #require(claimed.map(\.id) == ["1"])
                try await world.crashes.giveBack(claimed[0].row)
                #expect(try await Self.claim(world).isEmpty)
                world.clock.advance(by: .minutes(2))
            }
        }
    }

    @Test func `symbols of the app's images take precedence over the system's`() async throws {
        let images = (1...5).map { number in
            var image = Self.image("00000000-0000-0000-0000-00000000000\(number)")
            (image.address, image.codeFile) = (UInt64(number) << 12, number == 5 ? "/data/app/libshop.so" : "/system/lib64/lib\(number).so")
            return image
        }
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: CrashWorld.start, type: "SIGSEGV")
        report.images = images
        report.frames = images.map { image in
            var frame = StackFrame()
            frame.imageAddress = image.address
            frame.address = image.address.map { $0 + 8 }
            return frame
        }
        let wanted = WantedSymbols.of(report, atMost: 2)
        #expect(wanted.map(\.name) == ["/data/app/libshop.so", "/system/lib64/lib1.so"] && wanted.map(\.isOfTheSystem) == [false, true])
    }

    @Test func `an issue keeps its ID under its symbolicated title and splits by function`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<6 {
                try await world.take([Self.report(world, "\(number)", Self.image(Self.debugID))], CrashWorld.group("raw"))
            }
            let raw = try await world.issue("raw").id
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            for crash in try await Self.claim(world) {
                let name = Int(crash.id)! < 4 ? "Cart.checkout" : "Cart.clear"
                try await world.crashes.symbolicated(crash.row, payload: Array("{}".utf8), group: CrashWorld.group(name))
            }
            let found = try await world.issues()
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.title, $0.count) }) == ["Cart.checkout": 4, "Cart.clear": 2])
            #expect(try await world.issue("Cart.checkout").id == raw)
            let crash = try #require(try await world.crashes.crash("0", app: Self.app))
            #expect(crash.payload == Array("{}".utf8) && crash.crash.flags.contains(.symbolicated))
            // An unsymbolicated report goes to the issue that took over the group.
            #expect(try await world.take("7", "raw").issue == raw)
            try await world.expectWhole()
        }
    }

    @Test func `an issue without own reports is merged into the symbolicated one`() async throws {
        try await CrashWorld.run { world in
            let known = try await world.take("1", "Cart.checkout").issue
            try await world.take([Self.report(world, "2", Self.image(Self.debugID))], CrashWorld.group("raw"))
            let raw = try await world.issue("raw").id
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            let claimed = try await Self.claim(world)
            try await world.crashes.symbolicated(claimed[0].row, payload: [1], group: CrashWorld.group("Cart.checkout"))
            #expect(try await world.issues().map(\.count) == [2])
            #expect(try await world.crashes.issue(raw, app: Self.app).summary.id == known)
            #expect(try await world.take("3", "raw").issue == known)
            try await world.expectWhole()
        }
    }

    @Test func `a symbolicated report of a later release reopens a closed issue`() async throws {
        try await CrashWorld.run { world in
            let known = try await world.take("1", "Cart.checkout", release: "1.0").issue
            try await world.crashes.change(known, app: Self.app, to: .close(release: Release("1.1")))
            try await world.take([Self.report(world, "2", Self.image(Self.debugID))], CrashWorld.group("raw"))
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            let claimed = try await Self.claim(world)
            try await world.crashes.symbolicated(claimed[0].row, payload: [1], group: CrashWorld.group("Cart.checkout"), build: "7")
            #expect(try await world.issue("Cart.checkout").state == .closed)
            world.clock.advance(by: .minutes(1))
            var newer = Self.report(world, "3", Self.image(Self.debugID))
            newer.release = "1.1"
            try await world.take([newer], CrashWorld.group("other raw"))
            let later = try await Self.claim(world)
            try await world.crashes.symbolicated(later[0].row, payload: [1], group: CrashWorld.group("Cart.checkout"))
            let issue = try await world.issue("Cart.checkout")
            #expect(issue.state == .open && issue.count == 3 && issue.signals.contains(.regressed))
            #expect(try await world.crashes.unpublishedTransitions(limit: 10).contains { $0.transition.kind == .regressed && $0.issue.id == known })
            try await world.expectWhole()
        }
    }

    @Test func `an issue split off by symbols queues an alert`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<2 { try await world.take([Self.report(world, "\(number)", Self.image(Self.debugID))], CrashWorld.group("raw")) }
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            for crash in try await Self.claim(world) {
                try await world.crashes.symbolicated(crash.row, payload: [1], group: CrashWorld.group("part \(crash.id)"))
            }
            let told = try await world.crashes.unpublishedTransitions(limit: 10).filter { $0.transition.kind == .appeared }
            #expect(told.map(\.issue.title) == ["part 0", "part 1"])
        }
    }

    @Test func `a corrupt report does not block others`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<3 { try await world.take([Self.report(world, "\(number)", Self.image(Self.debugID))], CrashWorld.group("raw")) }
            try await world.crashes.change { try $0.file.execute("UPDATE payloads SET body = x'00' WHERE crash = (SELECT min(crash) FROM payloads)") }
            _ = try await world.crashes.bring([Self.symbols(Self.debugID)], app: Self.app)
            #expect(try await Self.claim(world).map(\.id).sorted() == ["1", "2"])
        }
    }

    @Test func `symbols are replaced and removed, and unreferenced files are reported`() async throws {
        try await CrashWorld.run { world in
            let other = "11111111-1111-1111-1111-111111111111"
            _ = try await world.crashes.bring([Self.symbols(Self.debugID, sum: "a"), Self.symbols(other, sum: "a")], app: Self.app)
            #expect(try await world.crashes.symbolBytes(app: Self.app) == 10)
            #expect(try await world.crashes.bring([Self.symbols(Self.debugID, sum: "b")], app: Self.app).isEmpty)
            #expect(try await world.crashes.symbols(app: Self.app, limit: 10).map(\.sha256) == ["b", "a"])
            #expect(try await world.crashes.symbols(of: [other, "unknown"], app: Self.app).map(\.sha256) == ["a"])
            #expect(try await world.crashes.removeSymbols(of: other, app: Self.app) == ["a"])
            await #expect(throws: Refusal.self) { try await world.crashes.removeSymbols(of: other, app: Self.app) }
            #expect(try await world.crashes.bring([Self.symbols(Self.debugID, sum: "c")], app: Self.app) == ["b"])
        }
    }
}
