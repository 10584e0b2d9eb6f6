// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

@Suite struct CrashTests {
    private enum ShopError: Error { case cardDeclined }

    @Test func `errors and messages become issues with their notes, through a kill of the daemon`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        app.analytics.setUserProperties(userId: "ann", email: nil)
        app.crashes.log("opened the basket")
        app.crashes.log("chose a card")
        app.crashes.setCustomValue("blue", forKey: "theme")
        await world.daemon.killHard()
        app.crashes.record(error: ShopError.cardDeclined)
        app.crashes.setUserID("bob")
        app.crashes.record(message: "Took long", level: .warning)
        try await world.restart()
        try await app.analytics.flush()

        let issues = try JSON(await world.api.get("/v1/issues", key: world.keys.admin))["items"].items
        #expect(issues.map { $0["kind"].text } == ["nonfatal", "nonfatal"])
        let error = try #require(issues.first { $0["title"].text.contains("ShopError") })
        let path = "/v1/issues/\(error["id"].text)/events"
        let id = try JSON(await world.api.get(path, key: world.keys.admin))["items"][0]["id"].text
        let report = try await world.api.get("\(path)/\(id)", key: world.keys.admin).text
        for part in ["cardDeclined", "\"ann\"", #"opened the basket\nchose a card"#, "\"blue\"", "\"1.2.3\""] {
            #expect(report.contains(part), "\(part)")
        }
        #expect(await app.status().pending == 0)
    }

    @Test func `without consent nothing is reported`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        app.crashes.setCollectionEnabled(false)
        app.crashes.record(message: "hidden", level: .error)
        #expect(await app.status().pending == 0)
    }

    @Test func `notes from before a reset or without consent are in no later report`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        let ends: [@Sendable () -> Void] = [
            { app.analytics.resetData() }, { app.analytics.setCollectionEnabled(false) }, { app.crashes.setCollectionEnabled(false) },
            { app.messaging.setCollectionEnabled(false) },
        ]
        for (number, end) in ends.enumerated() {
            note("ann", in: app.crashes)
            end()
            if !app.analytics.isCollectionEnabled { note("bob", in: app.crashes) }
            app.analytics.setCollectionEnabled(true)
            app.crashes.record(message: "after \(number)", level: .error)
            try await app.analytics.flush()
        }
        let reports = try await world.crashes().map { $0["report"] }
        #expect(reports.count == ends.count)
        for report in reports {
            #expect(report["user_id"].text == "" && report["logs"].text == "" && !report["custom_keys"]["name"].exists, "\(report["reason"].text)")
        }
    }

    private func note(_ user: String, in crashes: any Crashes) {
        crashes.setUserID(user)
        crashes.log("opened the basket of \(user)")
        crashes.setCustomValue(.text(user), forKey: "name")
    }

    @Test func `notes are bounded, and the newest stay`() throws {
        var notes = CrashNotes()
        for number in 0..<20_000 { notes.add("line \(number)") }
        let log = try #require(notes.log)
        #expect(log.utf8.count <= 64_000 && log.utf8.count > 40_000 && log.hasSuffix("line 19998\nline 19999"))
        for number in 0..<100 { notes.set(.integer(Int64(number)), for: "key \(number)") }
        notes.set("new", for: "key 3")
        notes.set(nil, for: "key 4")
        #expect(notes.values.count == 63 && notes.values["key 3"] == "new")
        notes.set(.text(String(repeating: "x", count: 5_000)), for: "key 3")
        #expect(notes.values["key 3"] == .text(String(repeating: "x", count: 1_024)))
    }

    @Test func `in-memory crashes record what was reported`() {
        let crashes = InMemoryCrashes()
        crashes.record(message: "odd", level: .info)
        crashes.record(error: ShopError.cardDeclined)
        crashes.log("line")
        crashes.setCustomValue(1, forKey: "n")
        #expect(crashes.reports == [.init(text: "odd", level: .info), .init(text: "cardDeclined", level: .error)])
        #expect(!crashes.didCrashDuringPreviousRun && InMemoryCrashes(didCrashDuringPreviousRun: true).didCrashDuringPreviousRun)
        #expect(crashes.lines == ["line"] && crashes.values == ["n": 1])
        crashes.setCollectionEnabled(false)
        crashes.record(message: "hidden", level: .error)
        note("ann", in: crashes)
        #expect(crashes.reports.isEmpty && !crashes.isCollectionEnabled)
        #expect(crashes.lines.isEmpty && crashes.values.isEmpty && crashes.userID == nil)
    }
}
