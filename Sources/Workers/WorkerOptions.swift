// SPDX-License-Identifier: Apache-2.0

package import Functions
package import Platform

/// The options of workers, the programs that carry out functions.
package struct WorkerOptions: Sendable {
    package var areEnabled = false
    package var mayBeUnconfined = false
    package var memoryBytes = 1 << 30
    package var processes = 16
    /// The processes and threads of an instance with a control group.
    package var tasks = 128
    /// The processor time of an instance with a control group; 100 for one processor, 0 for no limit.
    package var processorPercent = 100
    /// The control group that was delegated to the daemon; the own one of this process unless it is given.
    package var delegatedGroup: ControlGroup?

    package init() {}

    package static let settings: [Setting<WorkerOptions>] = [
        Setting("workers", .flag, \.areEnabled, "Whether programs that the operator named carry out functions", live: true),
        Setting(
            "unconfined", .flag, \.mayBeUnconfined, "Whether workers start on a kernel without Landlock, where all files are open to them", live: true
        ),
        Setting(
            "worker_memory", .size(16 << 20...1 << 40), \.memoryBytes,
            "Private memory of a process of a worker, and with a control group all memory of an instance", live: true),
        Setting(
            "worker_tasks", .count(1...100_000, "tasks"), \.tasks, "Processes and threads of an instance of a worker that has a control group",
            live: true),
        Setting(
            "worker_cpu", .count(0...100_000, "percent"), \.processorPercent,
            "Processor time of an instance of a worker that has a control group; 100 is one processor, 0 is unlimited", live: true),
        Setting("worker_processes", .count(1...1_000, "processes"), \.processes, "Instances of workers at once, of all functions", live: true),
    ]
}

/// The function of a worker.
package struct WorkerFunction: Sendable {
    package var id: Int64
    package var appID: AppID
    package var app: String
    package var name: String
    package var program: WorkerProgram
    /// The limit of instances.
    package var concurrency: Int

    package init(id: Int64, appID: AppID, app: String, name: String, program: WorkerProgram, concurrency: Int) {
        (self.id, self.appID, self.app, self.name, self.program, self.concurrency) = (id, appID, app, name, program, concurrency)
    }
}

/// A line that a worker wrote for the log of its function.
package struct WorkerLogLine: Sendable, Equatable {
    package static let maximumBytes = 4 << 10

    package var level: LineLevel
    package var text: String
    /// The number of the run that was under way; nil for calls, and between them.
    package var run: Int64?
    /// The user of the call that was under way.
    package var user: String?

    /// The memory that a line takes besides its text.
    private static let overhead = 128

    /// The request memory that the line holds from the time at which it is read until it is stored.
    package var bytesCharged: Int { WorkerLogLine.bytesCharged(for: text) }

    static func bytesCharged(for text: String) -> Int { text.utf8.count + overhead }

    /// The beginning of a text that a line may have.
    static func cut(_ text: String) -> String {
        text.utf8.count <= maximumBytes ? text : String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self)
    }
}

/// Lines for the log of a function, and the number of others that were dropped.
package struct WorkerLogLines: Sendable {
    package var lines: [WorkerLogLine] = []
    package var dropped = 0

    package init() {}
}

/// The parts of the daemon that workers use.
package struct WorkerSurroundings: Sendable {
    package var options: @Sendable () -> WorkerOptions
    /// Returns the function of a number, as it is now.
    package var function: @Sendable (Int64) -> WorkerFunction?
    /// Takes lines for the log of a function, and gives their memory back once they are stored. It must not wait.
    package var log: @Sendable (Int64, WorkerLogLines) -> Void
    /// Takes and gives back request memory, which large lines count in.
    package var takeMemory: @Sendable (Int) -> Bool
    package var giveMemoryBack: @Sendable (Int) -> Void
    /// The ingestd executable, which confines programs; nil if it is not known.
    package var launcher: String?
    /// No worker may read this folder.
    package var dataFolder: String
    package var clock: WallClock
    /// Reports why instances have no control groups, or lack some limits, at the first start of one.
    package var reportGroupFailure: @Sendable (String) -> Void = { _ in }
    /// The time after which an instance without calls ends.
    package var idle = Duration.seconds(300)

    package init(
        options: @escaping @Sendable () -> WorkerOptions, function: @escaping @Sendable (Int64) -> WorkerFunction?,
        log: @escaping @Sendable (Int64, WorkerLogLines) -> Void, takeMemory: @escaping @Sendable (Int) -> Bool,
        giveMemoryBack: @escaping @Sendable (Int) -> Void, launcher: String?, dataFolder: String, clock: WallClock
    ) {
        (self.options, self.function, self.log) = (options, function, log)
        (self.takeMemory, self.giveMemoryBack) = (takeMemory, giveMemoryBack)
        (self.launcher, self.dataFolder, self.clock) = (launcher, dataFolder, clock)
    }
}
