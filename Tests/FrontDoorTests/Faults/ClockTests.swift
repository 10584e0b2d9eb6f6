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

/// A daemon whose calendar clock is set while it runs or before it starts, by somebody or by a machine that knew no better.
@Suite struct ClockTests {
    /// What the clock is wrong by.
    struct Jump: CustomTestStringConvertible {
        var testDescription: String
        var offset: Duration

        /// By a clock that is years ahead every device is old: they only have to stay.
        var makesDevicesOld: Bool { offset > .seconds(86_400 * 200) }
        var isLeap: Bool { offset > .seconds(86_400 * 2) }
    }

    private static let now = WallClock.system.now()

    static let jumps = [
        Jump(testDescription: "a day ahead", offset: .seconds(86_400)), Jump(testDescription: "a day back", offset: .seconds(-86_400)),
        Jump(testDescription: "in 2100", offset: .milliseconds((Day(year: 2100, month: 1, day: 1).start - now).milliseconds)),
        Jump(testDescription: "in 1970", offset: .milliseconds(3_600_000 - now.milliseconds)),
    ]

    /// Each client sends some requests.
    private static func work(_ clients: inout [any FaultClient], _ api: TestClient, by jump: Jump) async {
        for index in clients.indices where !(jump.makesDevicesOld && clients[index] is MessageKillClient) {
            let end = await clients[index].work(api, requests: 3)
            if case .done = end { continue }
            Issue.record("\(end): \(jump)")
        }
    }

    @Test(arguments: jumps)
    func `whatever the clock is set to and back, what is sent is taken once and nothing goes`(jump: Jump) async throws {
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
    func `whatever the clock shows when the daemon starts, what is sent is taken once and nothing goes`(jump: Jump) async throws {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        var random = SeededGenerator(12)
        var clients: [any FaultClient] = []
        let right = Jump(testDescription: "right", offset: .zero)
        // The first start is by the wrong clock too, as on a machine that has none of its own.
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
        // No day begins by a clock that is not believed: all that came after it would be filed there.
        #expect(try StorePaths(root: folder.path).days().allSatisfy { $0 <= Day(of: Self.now + .days(2)) })
    }
}
