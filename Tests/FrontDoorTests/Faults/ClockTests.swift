// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// A daemon whose clock is changed while it runs or before it starts.
@Suite struct ClockTests {
    /// A change of the clock.
    struct Jump: CustomTestStringConvertible {
        var testDescription: String
        var offset: Duration

        /// With a clock years ahead, devices expire as inactive. The test then only expects that they stay.
        var makesDevicesOld: Bool { offset > .seconds(86_400 * 200) }
        var isLeap: Bool { offset > .seconds(86_400 * 2) }
    }

    private static let now = WallClock.system.now()

    static let jumps = [
        Jump(testDescription: "a day ahead", offset: .seconds(86_400)), Jump(testDescription: "a day back", offset: .seconds(-86_400)),
        Jump(testDescription: "in 2100", offset: .milliseconds((Day(year: 2100, month: 1, day: 1).start - now).milliseconds)),
        Jump(testDescription: "in 1970", offset: .milliseconds(3_600_000 - now.milliseconds)),
    ]

    /// Lets each client send some requests.
    private static func work(_ clients: inout [any FaultClient], _ api: TestClient, by jump: Jump) async {
        for index in clients.indices where !(jump.makesDevicesOld && clients[index] is MessageKillClient) {
            let end = await clients[index].work(api, requests: 3)
            if case .done = end { continue }
            Issue.record("\(end): \(jump)")
        }
    }

    @Test(arguments: jumps)
    func `clock changes at runtime lose and duplicate nothing`(jump: Jump) async throws {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
        var random = SeededGenerator(11)
        var clients = try await KillScenario.makeClients(child.api, &random, tellTime: false)
        let right = Jump(testDescription: "right", offset: .zero)
        for jump in [right, jump, right, jump, right] {
            shim.setClock(jump.offset)
            await Self.work(&clients, child.api, by: jump)
        }
        let path = folder.path
        #expect(try await eventually { try StoredMessages(of: path).spreading == 0 })
        #expect(await child.stop() == 0)
        let problems = try StoredFolder(of: path).problems(clients)
        #expect(problems == [])
    }

    @Test(arguments: jumps)
    func `a wrong clock at the start loses and duplicates nothing`(jump: Jump) async throws {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        var random = SeededGenerator(12)
        var clients: [any FaultClient] = []
        let right = Jump(testDescription: "right", offset: .zero)
        // The first start has the wrong clock too, as on a machine without a battery-backed clock.
        for jump in [jump.isLeap ? right : jump, right, jump, right] {
            shim.setClock(jump.offset)
            let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
            if clients.isEmpty { clients = try await KillScenario.makeClients(child.api, &random, tellTime: false) }
            await Self.work(&clients, child.api, by: jump)
            if jump.isLeap { try await child.line(containing: "the clock jumped ahead") }
            #expect(await child.stop() == 0)
        }
        let problems = try StoredFolder(of: folder.path).problems(clients)
        #expect(problems == [])
        // An untrusted clock must not begin a day, because later events would be stored there.
        #expect(try StorePaths(root: folder.path).days().allSatisfy { $0 <= Day(of: Self.now + .days(2)) })
    }
}
