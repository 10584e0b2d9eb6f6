// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Installation ID, user ID and default parameters.
@Suite struct InstallationTests {
    @Test func `default parameters persist across launches, and an event's own parameters win`() async throws {
        let world = try await World.start()
        var app = try SignalboxApp(world.options())
        app.analytics.setDefaultEventParameters(["shop": "vienna", "price": .decimal(try #require(Decimal(string: "9.995"))), "open": true])
        app.analytics.logEvent("first", parameters: ["shop": "graz"])
        await app.close()
        app = try SignalboxApp(world.options())
        app.analytics.logEvent("second")
        app.analytics.setDefaultEventParameters([:])
        app.analytics.logEvent("third")
        try await app.analytics.flush()
        let logged = try await world.stored().filter { ["first", "second", "third"].contains($0["name"].text) }
        #expect(logged.map { $0["params"]["shop"].text } == ["graz", "vienna", ""])
        #expect(logged.map { $0["params"]["open"].exists } == [true, true, false])
        let text = try await world.api.get("/v1/export", key: world.keys.admin).text
        #expect(text.components(separatedBy: "9.995").count == 3)
    }

    @Test func `an installation that cannot be read is not replaced by a new one`() async throws {
        let world = try await World.start()
        let options = try world.options()
        // It can be opened, and reading its beginning is an error.
        let (file, unreadable) = (world.appFolder.path + "/installation.json", "/proc/self/mem")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: unreadable)
        let failure = #expect(throws: SignalboxError.self) { try SignalboxApp(options) }
        guard case .folderUnusable = failure else { throw try #require(failure) }
        let kept = try FileManager.default.destinationOfSymbolicLink(atPath: file)
        #expect(kept == unreadable)
    }

    @Test func `a NaN default parameter does not prevent storing the installation`() async throws {
        let world = try await World.start()
        var app = try SignalboxApp(world.options())
        for odd in [ParameterValue.number(.nan), .number(.infinity), .decimal(.nan), .items([Item(id: "sku-1", price: .nan)])] {
            app.analytics.setDefaultEventParameters(["odd": odd, "shop": "vienna"])
            app.analytics.setUserID("\(odd)")
            let (before, session) = (app.analytics.installationID, app.analytics.sessionID)
            await app.close()
            app = try SignalboxApp(world.options())
            #expect(app.analytics.installationID == before && app.analytics.sessionID == session, "\(odd)")
            app.analytics.logEvent("step")
            try await app.analytics.flush()
            let step = try #require(await world.stored().last)
            #expect(step["user_id"].text == "\(odd)" && step["params"]["shop"].text == "vienna", "\(odd)")
        }
    }

    @Test func `resetData creates a new anonymous installation`() async throws {
        let world = try await World.start()
        var options = try world.options()
        options.environment.flushInterval = 3_600
        let app = try SignalboxApp(options)
        app.analytics.setUserID("ann")
        app.analytics.setDefaultEventParameters(["shop": "vienna"])
        try await app.analytics.flush()
        let before = app.analytics.installationID
        app.analytics.logEvent("waiting")
        app.analytics.resetData()
        #expect(await app.status().pending == 0)
        app.analytics.logEvent("seen")
        try await app.analytics.flush()
        let events = try await world.stored()
        #expect(events.map { $0["name"].text } == ["first_open", "session_start", "first_open", "session_start", "seen"])
        let seen = try #require(events.last)
        #expect(seen["installation_id"].text == app.analytics.installationID && app.analytics.installationID != before)
        #expect(seen["user_id"].text == "" && seen["params"]["shop"].text == "")
        await app.close()
        let later = try SignalboxApp(options)
        #expect(later.analytics.installationID == seen["installation_id"].text)
    }

    @Test func `installationID and sessionID are those of the events`() async throws {
        let world = try await World.start()
        let clock = HeldClock()
        let app = try SignalboxApp({ $0.now = { clock.now } }, of: world)
        app.analytics.logEvent("step")
        try await app.analytics.flush()
        let step = try #require(await world.stored().last)
        #expect(app.analytics.sessionID == step["session_id"].text && app.analytics.installationID == step["installation_id"].text)
        clock.pass(1_801)
        #expect(app.analytics.sessionID == nil && app.analytics.isCollectionEnabled)
        app.analytics.setCollectionEnabled(false)
        #expect(app.analytics.installationID == nil && app.analytics.sessionID == nil && !app.analytics.isCollectionEnabled)
        app.analytics.setDefaultEventParameters(["shop": "vienna"])
        app.analytics.resetData()
        #expect(await app.status().pending == 0)
    }
}
