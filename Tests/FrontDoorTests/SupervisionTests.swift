// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Notifications to the service manager.
struct SupervisionTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [false, true]) func `the service manager is notified of readiness, reloads and shutdown`(isAbstract: Bool) async throws {
        let name = isAbstract ? "@signalbox-test-\(UUID().uuidString)" : folder.path + "/notify"
        let manager = try NotifySocket(name)
        let child = try await DaemonProcess.start(in: folder.path, environment: ["NOTIFY_SOCKET": name])
        #expect(try await eventually { manager.messages("READY=1").count == 1 })
        #expect(manager.messages("READY=1").first?.text == "READY=1\nSTATUS=Serving on 127.0.0.1:\(child.api.port)")
        child.signal(SIGHUP)
        #expect(try await eventually { manager.messages("READY=1").count == 2 })
        let reload = try #require(manager.messages("RELOADING=1").first)
        #expect(reload.text.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil)
        #expect(manager.messages("STOPPING=1").isEmpty)
        #expect(await child.stop() == 0)
        #expect(try await eventually { manager.messages("STOPPING=1").count == 1 })
        #expect(manager.messages("WATCHDOG=1").isEmpty)
    }

    @Test(.enabled("needs strace and the permission to attach it", SystemCallFaults.isPossible))
    func `watchdog notifications pause while a commit hangs`() async throws {
        let manager = try NotifySocket(folder.path + "/notify")
        let child = try await DaemonProcess.start(
            in: folder.path, environment: ["NOTIFY_SOCKET": folder.path + "/notify", "WATCHDOG_USEC": "200000"])
        let keys = try await child.api.makeApp()
        #expect(try await eventually { !manager.messages("WATCHDOG=1").isEmpty })
        let disk = try await SystemCallFaults.begin(.init("fdatasync", lateBySeconds: 2, in: []), in: child.pid)
        #expect(try await child.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#).status == 200)
        await disk.end()
        let answered = ContinuousClock.now
        #expect(try await eventually { manager.messages("WATCHDOG=1").contains { $0.time > answered } })
        let beats = manager.messages("WATCHDOG=1").map(\.time)
        let longestSilence = zip(beats.dropFirst(), beats).map { $0 - $1 }.max()
        #expect(try #require(longestSilence) > .seconds(1))
        #expect(await child.stop() == 0)
    }
}
