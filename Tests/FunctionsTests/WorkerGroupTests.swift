// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Workers

/// Paths and limits of control groups, and the groups themselves where this machine lets tests make some.
@Suite struct WorkerGroupTests {
    private static let unified = "31 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate"
    private static let hybrid = """
        40 32 0:34 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        42 32 0:36 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
        """
    private static let bound = "31 24 0:26 /box /sys/fs/cgroup ro - cgroup2 cgroup2 rw"

    @Test(
        arguments: [
            ("0::/system.slice/ingestd.service\n", unified, "/sys/fs/cgroup/system.slice/ingestd.service"), ("0::/\n", unified, "/sys/fs/cgroup"),
            ("9:memory:/a\n0::/b/c\n", hybrid, "/sys/fs/cgroup/unified/b/c"), ("0::/box/a\n", bound, "/sys/fs/cgroup/a"),
            ("0::/box\n", bound, "/sys/fs/cgroup"), ("0::/boxes\n", bound, nil), ("0::/../other\n", unified, nil),
            ("0::/gone (deleted)\n", unified, nil),
            ("4:memory:/a\n", hybrid, nil), ("0::/a\n", "40 32 0:34 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", nil), ("", "", nil),
            ("0::/a", "- cgroup2", nil),
        ] as [(String, String, String?)])
    func `the own group is where version 2 is mounted`(groups: String, mounts: String, path: String?) {
        #expect(ControlGroup(groups: groups, mounts: mounts)?.path == path)
    }

    @Test func `limits are those of the settings`() {
        var options = WorkerOptions()
        let texts = WorkerGroupLimits(options).files.map { "\($0.controller) \($0.name) \($0.text)" }
        let memory = ["memory memory.max 1073741824", "memory memory.swap.max 0", "memory memory.oom.group 1"]
        #expect(texts == memory + ["pids pids.max 128", "cpu cpu.max 100000 100000"])
        (options.memoryBytes, options.tasks, options.processorPercent) = (64 << 20, 5, 250)
        #expect(WorkerGroupLimits(options).files.map(\.text) == ["67108864", "0", "1", "5", "250000 100000"])
        options.processorPercent = 0
        #expect(WorkerGroupLimits(options).files.last?.text == "max 100000")
    }

    @Test func `a folder that is no control group is not taken`() {
        let folder = TemporaryFolder()
        #expect(throws: WorkerGroupError.self) { _ = try WorkerGroups(below: ControlGroup(path: folder.path)) }
        #expect(throws: WorkerGroupError.self) { _ = try WorkerGroups(below: ControlGroup(path: "/nowhere")) }
    }

    @Test(.enabled(if: DelegatedGroup.isPossible, "no control group of version 2 is writable"))
    func `a group ends with all of its processes`() async throws {
        let delegated = try DelegatedGroup()
        defer { _ = delegated.remove() }
        // The test's process is not in it, and stays where it is.
        let groups = try WorkerGroups(below: delegated.group)
        let group = try groups.make(1, WorkerGroupLimits(WorkerOptions()))
        if delegated.group.controllers().contains("pids") {
            #expect(try String(contentsOfFile: group.path + "/pids.max", encoding: .utf8) == "128\n")
        }
        // A kernel without swap does not have the file.
        if let swap = try? String(contentsOfFile: group.path + "/memory.swap.max", encoding: .utf8) { #expect(swap == "0\n") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["1000"]
        try process.run()
        try group.add(process.processIdentifier)
        #expect(try group.processes() == [process.processIdentifier])
        groups.remove(group)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        let isGone = try await eventually {
            _ = group.remove()
            return !FileManager.default.fileExists(atPath: group.path)
        }
        #expect(isGone)
    }
}
