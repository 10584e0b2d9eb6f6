// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation
import Glibc
import struct Platform.SeededGenerator
import TestSupport
import Testing

@testable import Signalbox

/// Apps that crash, and the reports at the daemon after their next launch.
@Suite struct CrashCaptureTests {
    #if arch(arm64)
        private static let trap = SIGTRAP
    #else
        private static let trap = SIGILL
    #endif

    private static let faults: [(how: String, signal: Int32)] = [
        ("SIGSEGV", SIGSEGV), ("SIGBUS", SIGBUS), ("fatalError", trap), ("abort", SIGABRT), ("overflow", SIGSEGV), ("nothing", SIGSEGV),
        ("thread", SIGSEGV), ("both", SIGSEGV), ("starved", SIGSEGV), ("closed", SIGSEGV), ("\(SIGFPE)", SIGFPE), ("\(SIGTRAP)", SIGTRAP),
        ("\(SIGSYS)", SIGSYS),
    ]

    @Test func `each kind of crash is reported once with the state of its launch`() async throws {
        let world = try await World.start()
        for (how, signal) in Self.faults {
            let folder = TemporaryFolder()
            let crashed = try await world.run(how, in: folder)
            #expect(crashed.code == 128 + signal && crashed.output.hasPrefix("crashed=false\n"), "\(how)")
            #expect(try await world.run("report", in: folder, version: "2.0.0").output == "crashed=true\n", "\(how)")
            #expect(try await world.run("report", in: folder, version: "2.0.0").output == "crashed=false\n", "\(how)")
        }
        let reports = try await world.crashes().map { $0["report"] }
        #expect(reports.count == Self.faults.count)
        for (how, signal) in Self.faults {
            let report = try #require(reports.first { $0.customKey("how") == how })
            #expect(report["kind"].text == "fatal" && report.contextValue("app_version") == "1.2.3", "\(how)")
            #expect(report["exceptions"][0]["type"].text == csignalbox_signal_name(signal).map { String(cString: $0) }, "\(how)")
            #expect(report["user_id"].text == "ann" && !report["session_id"].text.isEmpty, "\(how)")
            #expect(report["logs"].text.hasPrefix("opened the basket\nchose a \"card\"") && report.customKey("theme") == "blue", "\(how)")
        }
        let deep = try #require(reports.first { $0.customKey("how") == "overflow" })["exceptions"][0]["frames"].items
        #expect(deep.count == 250 && deep[0]["package"].text != "crashing-app" && deep[249]["package"].text == "crashing-app")
    }

    /// A failed cast ends in glibc's `abort`, which has no frame pointers.
    @Test func `a stack is complete behind functions without frame pointers`() async throws {
        let world = try await World.start()
        let folder = TemporaryFolder()
        #expect(try await world.run("trap", in: folder, "cast", "cart").code == 128 + SIGABRT)
        try await world.run("report", in: folder)
        let frames = try await world.crashes()[0]["report"]["exceptions"][0]["frames"].items
        #expect(frames.count { $0["package"].text == "crashing-app" && $0["in_app"].bool } >= 2, "\(frames.map(\.source))")
    }

    @Test func `symbols name the functions of a crash, and its session counts as crashed`() async throws {
        let world = try await World.start()
        for how in ["SIGSEGV", "overflow", "nothing", "thread"] { try await world.crash(how) }
        let image = try #require(try await world.crashes()[0]["report"]["images"].items.first { $0["code_file"].text == "crashing-app" })
        let program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ProgramUnderTest.crashingApp.path)))
        let brought = try await world.api.request("PUT", "/v1/symbols/\(image["debug_id"].text)", key: world.keys.admin, body: program)
        #expect(brought.status == 201)
        let expected = ["SIGSEGV": "spoilTheBasket", "overflow": "fallForEver", "nothing": "callNothing", "thread": "spoilTheBasket"]
        let isNamed = try await eventually {
            try await world.crashes().allSatisfy { event in
                let names = event["report"]["exceptions"][0]["frames"].items.map { $0["function"].text }
                return names.suffix(3).contains { $0.contains(expected[event["report"].customKey("how")] ?? "?") }
            }
        }
        #expect(isNamed)
        let free = try JSON(await world.api.get("/v1/query/crash-free?from=-1d", key: world.keys.read))
        #expect(free["total"]["crashed_sessions"].number == 4)
    }

    @Test func `a recorded error has a stack, with functions once symbols are there`() async throws {
        let world = try await World.start()
        #expect(try await world.run("recorded", in: TemporaryFolder()).output.hasSuffix("went on\n"))
        let report = try await world.crashes()[0]["report"]
        let (frames, images, line) = (report["frames"].items, report["images"].items, report.customKey("line"))
        #expect(report["kind"].text == "nonfatal" && report["type"].text.hasSuffix("NoReceipt"))
        #expect(frames.count > 2 && frames.last?["package"].text == "crashing-app" && frames.last?["in_app"].bool == true)
        // Only images that contain frames.
        #expect(images.allSatisfy { image in frames.contains { $0["image_addr"].text == image["image_addr"].text } })

        let image = try #require(images.first { $0["code_file"].text == "crashing-app" })
        let program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ProgramUnderTest.crashingApp.path)))
        _ = try await world.api.request("PUT", "/v1/symbols/\(image["debug_id"].text)", key: world.keys.admin, body: program)
        let isNamed = try await eventually {
            let frames = try await world.crashes()[0]["report"]["frames"].items
            let isThere = frames.last.map { String($0["lineno"].number) } == line
            return isThere && zip(frames.suffix(2).map { $0["function"].text }, ["meet", "loseTheReceipt"]).allSatisfy { $0.contains($1) }
        }
        #expect(isNamed)
    }

    @Test(arguments: ["SIGSEGV", "abort", "fatalError"])
    func `the previous handler is called after the report, and the process ends with its signal`(how: String) async throws {
        let world = try await World.start()
        let folder = TemporaryFolder()
        let crashed = try await world.run(how, in: folder, "before")
        #expect(crashed.output == "crashed=false\nhanded on\n")
        #expect(crashed.code == 128 + ["SIGSEGV": SIGSEGV, "abort": SIGABRT, "fatalError": Self.trap][how, default: 0])
        try await world.run("report", in: folder)
        #expect(try await world.crashes().count == 1)
    }

    @Test func `the backtrace of Swift's runtime is complete`() async throws {
        let world = try await World.start()
        let folder = TemporaryFolder()
        let settings = "enable=yes,color=no,interactive=no,output-to=stdout"
        let crashed = try await ChildProcess.run(
            ProgramUnderTest.crashingApp.path, [folder.path, world.address, world.keys.ingest, "1.2.3", "SIGBUS"],
            environment: ["SWIFT_BACKTRACE": settings])
        #expect(crashed.code == 128 + SIGBUS && crashed.output.contains("Backtrace took"))
        try await world.run("report", in: folder)
        #expect(try await world.crashes().count == 1)
    }

    @Test func `a library loaded just before the crash is among the images`() async throws {
        let world = try await World.start()
        try await world.crash("loaded")
        let images = try await world.crashes()[0]["report"]["images"].items
        #expect(images.contains { $0["code_file"].text.hasSuffix("/libanl.so.1") && !$0["debug_id"].text.isEmpty })
    }

    @Test func `faults resolved by another handler, disabled capture and missing consent report nothing`() async throws {
        let world = try await World.start()
        for (how, code) in [("mended", Int32(0)), ("uncaught", 128 + Self.trap), ("consent", 128 + SIGSEGV)] {
            let folder = TemporaryFolder()
            let ended = try await world.run(how, in: folder, "before")
            #expect(ended.code == code, "\(how)")
            #expect(how != "mended" || ended.output.hasSuffix("handed on\nwent on\n"))
            #expect(!Self.isLeft(in: folder), "\(how)")
            #expect(try await world.run("report", in: folder).output == "crashed=false\n", "\(how)")
        }
        #expect(try await world.crashes().isEmpty)
    }

    @Test func `a crash after a reset contains no earlier notes`() async throws {
        let world = try await World.start()
        try await world.crash("reset")
        let report = try #require(try await world.crashes().first)["report"]
        #expect(report["kind"].text == "fatal" && report.contextValue("app_version") == "1.2.3")
        #expect(report["user_id"].text == "" && report["logs"].text == "" && report.customKey("theme") == "" && report.customKey("how") == "")
    }

    @Test func `without consent a previous report is deleted unread`() async throws {
        let world = try await World.start()
        try await world.run("SIGSEGV", in: world.appFolder)
        #expect(Self.isLeft(in: world.appFolder))
        var installation = try #require(try Installation.read(in: URL(fileURLWithPath: world.appFolder.path)))
        installation.isCollectionEnabled = false
        try installation.write(in: URL(fileURLWithPath: world.appFolder.path))
        let app = try SignalboxApp(world.options())
        #expect(!app.crashes.didCrashDuringPreviousRun && !Self.isLeft(in: world.appFolder))
        #expect(await app.status().pending == 0)
    }

    @Test func `a torn report is harmless, and sent if it is complete enough`() async throws {
        let world = try await World.start()
        let crashed = TemporaryFolder()
        try await world.run("SIGSEGV", in: crashed)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: crashed.path + "/crash.report")))
        for length in stride(from: 0, through: whole.count, by: 61) {
            let report = CrashFile(Array(whole[..<length])).flatMap { CrashReport($0) }
            #expect(length < 2_000 || report != nil)
            guard let frame = report?.frame else { continue }
            #expect(try JSON(Array(frame[9...]))["exceptions"][0]["type"].text == "SIGSEGV")
        }
        var random = SeededGenerator(UInt64(whole.count))
        for _ in 0..<500 {
            var spoilt = whole
            for _ in 0..<4 { spoilt[Int.random(in: whole.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            guard let frame = CrashFile(spoilt).flatMap({ CrashReport($0) })?.frame else { continue }
            _ = try JSON(Array(frame[9...]))
        }
        for content in [[], Array("SBCRASH0".utf8) + whole[8...], Array(whole[..<100])] {
            try Data(content).write(to: URL(fileURLWithPath: crashed.path + "/crash.report"))
            #expect(try await world.run("report", in: crashed).code == 0)
            #expect(!Self.isLeft(in: crashed))
        }
        #expect(try await world.crashes().isEmpty)
    }

    @Test func `an app killed while it queues a report reports it once`() async throws {
        let world = try await World.start()
        for _ in 0..<6 {
            let folder = TemporaryFolder()
            try await world.run("SIGSEGV", in: folder)
            let report = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/crash.report"))
            let app = try ProgramUnderTest.crashingApp.start([folder.path, world.address, world.keys.ingest, "2.0.0", "wait"])
            #expect(try await eventually { FileManager.default.fileExists(atPath: folder.path + "/lock") && !Self.isLeft(in: folder) })
            app.signal(SIGKILL)
            _ = await app.exitCode()
            // As if the app was killed before deleting the file.
            try report.write(to: URL(fileURLWithPath: folder.path + "/crash.report"))
            try await world.run("report", in: folder)
        }
        #expect(try await world.crashes().count == 6)
    }

    @Test func `files of other failed launches do no harm`() async throws {
        let world = try await World.start()
        for how in ["\(SIGKILL)", "report", "SIGSEGV", "report"] { try await world.run(how, in: world.appFolder) }
        let reports = try await world.crashes()
        #expect(reports.map { $0["report"].customKey("how") } == ["SIGSEGV"])
    }

    /// Whether a report waits for the next launch. The handler's file is empty until a crash.
    private static func isLeft(in folder: TemporaryFolder) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/crash.report")
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
    }
}

extension World {
    /// Runs the crashing app to its end, without Swift's backtraces, which take time.
    @discardableResult
    fileprivate func run(
        _ how: String, in folder: TemporaryFolder, version: String = "1.2.3", _ more: String...
    ) async throws -> (code: Int32, output: String) {
        try await ChildProcess.run(
            ProgramUnderTest.crashingApp.path, [folder.path, address, keys.ingest, version, how] + more,
            environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// Lets the app crash and report the crash.
    fileprivate func crash(_ how: String) async throws {
        let folder = TemporaryFolder()
        try await run(how, in: folder)
        try await run("report", in: folder)
    }

    /// The reports of all issues.
    func crashes() async throws -> [JSON] {
        var reports: [JSON] = []
        for issue in try JSON(await api.get("/v1/issues?limit=100", key: keys.read))["items"].items {
            let path = "/v1/issues/\(issue["id"].text)/events"
            for event in try JSON(await api.get("\(path)?limit=100", key: keys.read))["items"].items {
                reports.append(try JSON(await api.get("\(path)/\(event["id"].text)", key: keys.read)))
            }
        }
        return reports
    }
}

extension JSON {
    fileprivate func customKey(_ name: String) -> String { self["custom_keys"][name].text }
    fileprivate func contextValue(_ name: String) -> String { self["context"][name].text }
}
