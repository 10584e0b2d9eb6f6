// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing
import Workers

@testable import ingestd

/// Control groups of workers, where this machine lets tests make some.
@Suite(.enabled(if: WorkerWorld.canRun, "this kernel cannot confine workers"))
struct WorkerGroupTests {
    @Test(.enabled(if: DelegatedGroup.isPossible, "no control group of version 2 is writable"))
    func `each instance has a group, which ends with what it started`() async throws {
        let delegated = try DelegatedGroup()
        try await WorkerWorld.use(configure: { $0.workers.delegatedGroup = delegated.group }) { world in
            let handler = """
                if data == "end": os._exit(0)
                child = subprocess.Popen(["/bin/sleep", "1000"])
                return [os.getpid(), child.pid, open("/proc/self/cgroup").read()]
                """
            try await world.define(fields: #""auth": "none", "concurrency": 1"#, handler: handler)
            let result = try await world.result()
            let (process, child) = (result[0].number, result[1].number)
            let own = try #require(result[2].text.split(separator: "\n").first { $0.hasPrefix("0::") })
            let name = try #require(own.split(separator: "/").last)
            #expect(name.hasPrefix("worker-") && delegated.instances.contains(String(name)))
            for process in [process, child] {
                #expect(try String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8).contains(own + "\n"))
            }
            #expect(try await CallFault(world.call("f", #""end""#)) == CallFault(500, "INTERNAL"))
            for process in [process, child] { #expect(try await WorkerWorld.ends(process)) }
            #expect(try await eventually { !delegated.instances.contains(String(name)) })
        }
        #expect(try await eventually { delegated.instances.isEmpty })
        #expect(delegated.remove())
    }

    @Test func `the lack of a delegated group is named, and workers run without one`() async throws {
        let missing = ControlGroup(path: "/sys/fs/cgroup/signalbox-missing")
        try await WorkerWorld.use(configure: { $0.workers.delegatedGroup = missing }) { world in
            try await world.define(handler: "return 1")
            let before = try JSON(await world.api.get("/v1/system", key: world.keys.read))
            #expect(!before["worker_group_failure"].exists)
            #expect(try await world.result().number == 1)
            let after = try JSON(await world.api.get("/v1/system", key: world.keys.read))
            #expect(after["worker_group_failure"].text.contains("\(missing.path) is not delegated"))
        }
    }
}
