// SPDX-License-Identifier: Apache-2.0

import CLinux
import Functions
import Glibc
import Platform

/// The process of an instance of a worker, and the group that it leads.
struct WorkerProcess {
    /// The streams of a process, as this side has them. They never wait.
    struct Streams {
        /// Where lines go; -1 if the program gets no input.
        var input: Int32
        var output: Int32
        var complaints: Int32
    }

    let number: pid_t
    /// A descriptor that becomes readable with the end.
    let end: Int32
    var streams: Streams
    /// The processor time that the last raise of the limit was for, and its time.
    private var allowance: (seconds: Int64, since: ContinuousClock.Instant)?

    /// Starts a program through the launcher, which confines it.
    ///
    /// The thread must live as long as the process: the end of the thread is that of the parent.
    init(_ place: WorkerPlace, environment: [String], takesInput: Bool, launcher: String) throws(SystemError) {
        let ends = try Pipes(takesInput: takesInput)
        defer { ends.closeTheirs() }
        var process = pid_t()
        let error = withCStrings(place.words(launcher: launcher)) { arguments in
            withCStrings(environment) { environment in
                clinux_spawn(launcher, arguments, environment, place.folder, ends.theirs, &process)
            }
        }
        guard error == 0 else {
            ends.closeOwn()
            throw SystemError(number: error)
        }
        precondition(process > 0, "a child without a process ID would make kill(2) signal a group of processes")
        let end = clinux_process_descriptor(process)
        guard end >= 0 else {
            let error = errno
            ends.closeOwn()
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0 && errno == EINTR {}
            throw SystemError(number: error)
        }
        (number, self.end, streams) = (process, end, ends.own)
    }

    /// Sends a signal to the whole group.
    func signal(_ number: Int32) {
        // The group exists once the launcher has made it.
        if kill(-self.number, number) != 0 { kill(self.number, number) }
    }

    /// Kills what is left of the group of a process that has ended or is to end, and returns its exit code, or 128 plus the signal's number.
    func reap() -> Int32 {
        kill(-number, SIGKILL)
        kill(number, SIGKILL)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0 && errno == EINTR {}
        for descriptor in [end, streams.input, streams.output, streams.complaints] where descriptor >= 0 { close(descriptor) }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    mutating func closeInput() {
        if streams.input >= 0 { close(streams.input) }
        streams.input = -1
    }

    /// Lets the process use as much processor time as all processors have until a deadline.
    ///
    /// Each raise has a second on top, which lasts for further calls of a second: a raise takes four system calls.
    mutating func allow(until deadline: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        let seconds = (deadline - now).components.seconds + 1
        if let allowance, seconds <= allowance.seconds, now - allowance.since < .seconds(1) { return }
        allowance = (seconds, now)
        clinux_allow(number, UInt32(clamping: (seconds + 1) * WorkerProcess.processors))
    }

    private static let processors = Int64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

/// The pipes to a process.
private struct Pipes {
    var own = WorkerProcess.Streams(input: -1, output: -1, complaints: -1)
    var theirs: [Int32] = [-1, -1, -1]

    init(takesInput: Bool) throws(SystemError) {
        do throws(SystemError) {
            if takesInput { (theirs[0], own.input) = try Pipes.pipe() }
            (own.output, theirs[1]) = try Pipes.pipe()
            (own.complaints, theirs[2]) = try Pipes.pipe()
        } catch {
            closeOwn()
            closeTheirs()
            throw error
        }
        for descriptor in [own.input, own.output, own.complaints] where descriptor >= 0 { _ = clinux_never_wait(descriptor) }
    }

    private static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw SystemError(number: errno) }
        return (ends[0], ends[1])
    }

    func closeOwn() {
        for descriptor in [own.input, own.output, own.complaints] where descriptor >= 0 { close(descriptor) }
    }

    func closeTheirs() {
        for descriptor in theirs where descriptor >= 0 { close(descriptor) }
    }
}
