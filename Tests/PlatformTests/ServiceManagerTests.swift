// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Platform

struct ServiceManagerTests {
    private static func manager(_ environment: [String: String]) -> ServiceManager { ServiceManager(environment, process: 42) }

    @Test func `only sockets passed to this process are used`() {
        let meant = ["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "web:api"]
        #expect(Self.manager(meant).sockets == [.init(descriptor: 3, name: "web"), .init(descriptor: 4, name: "api")])
        #expect(Self.manager(meant.merging(["LISTEN_FDNAMES": "web"]) { $1 }).sockets.map(\.name) == ["web", "unknown"])
        for (variable, value) in [
            ("LISTEN_PID", "43"), ("LISTEN_PID", ""), ("LISTEN_FDS", "0"), ("LISTEN_FDS", "-1"), ("LISTEN_FDS", "100000"), ("LISTEN_FDS", "x"),
        ] {
            #expect(Self.manager(meant.merging([variable: value]) { $1 }).sockets.isEmpty, "\(variable)=\(value)")
        }
        #expect(Self.manager(["LISTEN_FDS": "1"]).sockets.isEmpty)
    }

    @Test func `the watchdog applies only to the process it was set for`() {
        #expect(Self.manager(["WATCHDOG_USEC": "3000000"]).watch == .seconds(3))
        #expect(Self.manager(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "42"]).watch == .seconds(3))
        #expect(Self.manager(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"]).watch == nil)
        for text in ["0", "-5", "1", "soon"] { #expect(Self.manager(["WATCHDOG_USEC": text]).watch == nil, "\(text)") }
        #expect(Self.manager([:]).watch == nil)
    }

    @Test func `notifications are lines, and texts cannot add lines`() {
        let cases: [(ServiceManager.Notification, String)] = [
            (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
            (.reloading(monotonicMicroseconds: 7), "RELOADING=1\nMONOTONIC_USEC=7"),
            (.status("well\nREADY=1"), "STATUS=well READY=1"),
        ]
        for (notification, text) in cases { #expect(notification.text == text) }
    }

    @Test func `an unreachable service manager is ignored`() {
        for address in ["", "relative", "/nowhere/at/all", "@" + String(repeating: "x", count: 200)] {
            Self.manager(["NOTIFY_SOCKET": address]).notify(.ready)
        }
        #expect(!Self.manager([:]).isThere)
    }
}
