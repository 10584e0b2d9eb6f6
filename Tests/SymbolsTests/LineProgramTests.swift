// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import Symbols

/// Shells play the misbehaving programs.
struct LineProgramTests {
    private func shell(_ loop: String, _ limits: LineProgram.Limits = .init(line: .seconds(10))) -> LineProgram {
        LineProgram(ReaderCommand("/bin/sh", ["-c", "while read line; do \(loop); done"]), in: "/", probe: "", limits: limits)
    }

    private func ask(_ program: LineProgram, _ texts: String...) throws -> [String?] {
        try program.ask(texts.map { Array($0.utf8) }).map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func `answers come in order from one child`() throws {
        let program = shell("echo \"$line!\"")
        #expect(try ask(program, "a", "b") == ["a!", "b!"])
        let process = program.process
        #expect(try ask(program, "c") == ["c!"] && program.process == process)
        #expect(try ask(program) == [])
        program.end()
        #expect(program.process == nil)
    }

    @Test func `lines may exceed the socket buffer`() throws {
        let program = LineProgram(ReaderCommand("/bin/cat"), in: "/", probe: "")
        let lines = (0..<50_000).map { Array("a line of some length with the number \($0)".utf8) }
        #expect(try program.ask(lines) == lines)
    }

    @Test func `a line that crashes the child has no answer, the others do`() throws {
        let program = shell("[ $line = bad ] && kill -SEGV $$; echo $line")
        #expect(try ask(program, "a", "bad", "b", "bad", "c") == ["a", nil, "b", nil, "c"])
    }

    @Test func `after three failures the remaining lines have no answer`() throws {
        let program = shell("[ $line = bad ] && kill -SEGV $$; echo $line")
        #expect(try ask(program, "a", "bad", "bad", "bad", "c") == ["a", nil, nil, nil, nil])
        #expect(try ask(program, "c") == ["c"])
    }

    @Test func `a hung child is killed and reaped`() throws {
        let program = shell("[ $line = bad ] && exec sleep 1000; echo $line", .init(line: .seconds(3), maxFailures: 1))
        #expect(try ask(program, "a") == ["a"])
        let process = try #require(program.process)
        let start = ContinuousClock.now
        #expect(try ask(program, "bad", "b") == [nil, "b"])
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func `a spinning child ends by its CPU limit`() throws {
        var child = try Child(ReaderCommand("/bin/sh", ["-c", "while :; do :; done"]), in: "/", memory: 1 << 30)
        let limits = LineProgram.Limits(line: .milliseconds(10), call: .zero)
        #expect(child.results(to: [Array("a".utf8)], limits, until: .now + .seconds(10), or: Cancellation()).isEmpty)
        var status: Int32 = 0
        // One second of CPU time, which may take longer on a busy machine.
        while waitpid(child.process, &status, 0) < 0 && errno == EINTR {}
        #expect(status & 0x7f == SIGXCPU)
    }

    @Test func `stop cancels a call and refuses further ones`() async throws {
        let program = shell("echo; exec sleep 1000", .init(line: .seconds(50)))
        // Measured in the calling thread, since another may start late.
        let asked = Task {
            let begin = ContinuousClock.now
            #expect(throws: ProgramError.stopped("/bin/sh")) { try ask(program, "a", "b", "c") }
            return ContinuousClock.now - begin
        }
        program.stop()
        let waited = await asked.value
        #expect(throws: ProgramError.stopped("/bin/sh")) { try ask(program, "d") }
        // Without the end it would have waited for fifty seconds.
        #expect(waited < .seconds(45) && program.process == nil)
    }

    @Test func `a call has a time limit even if each answer is in time`() throws {
        let program = shell("sleep 0.2; echo $line", .init(line: .seconds(10), call: .seconds(10), maxFailures: 0))
        let answers = try program.ask((0..<100).map { Array("\($0)".utf8) })
        #expect(answers.count == 100 && answers.first == Array("0".utf8) && answers.last == .some(nil))
    }

    @Test func `a child has a memory limit`() throws {
        let limits = LineProgram.Limits(line: .seconds(60), memoryBytes: 64 << 20)
        let start = ContinuousClock.now
        #expect(try ask(shell("[ $line = bad ] && exec tail /dev/zero; echo $line", limits), "bad", "b") == [nil, "b"])
        // The child exited long before the time limit.
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test func `an endless answer and surplus answers are failures`() throws {
        #expect(try ask(shell("[ $line = bad ] && exec tr '\\0' a </dev/zero; echo $line"), "bad", "b") == [nil, "b"])
        #expect(try ask(shell("[ $line = bad ] && exec yes; echo $line"), "bad", "b") == [nil, "b"])
    }

    @Test func `answers beyond the limit of a call are dropped`() throws {
        let program = LineProgram(ReaderCommand("/bin/cat"), in: "/", probe: "", limits: .init(callBytes: 100_000, maxFailures: 0))
        let answers = try program.ask([[UInt8]](repeating: [UInt8](repeating: 0x61, count: 1_000), count: 1_000))
        #expect((100..<300).contains(answers.count { $0 != nil }) && answers.count == 1_000)
    }

    @Test func `a program that answers nothing is a failure`() throws {
        #expect(throws: ProgramError.notStarted("/nowhere", ENOENT)) { try LineProgram(ReaderCommand("/nowhere"), in: "/", probe: "").ask([[1]]) }
        #expect(throws: ProgramError.ends("/bin/true")) { try LineProgram(ReaderCommand("/bin/true"), in: "/", probe: "").ask([[1]]) }
    }

    @Test func `a child inherits only its streams`() throws {
        let program = LineProgram(ReaderCommand("/bin/cat"), in: "/", probe: "")
        _ = try ask(program, "a")
        let process = try #require(program.process)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").sorted() == ["0", "1", "2"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
    }

    @Test func `a child is replaced after many answers`() throws {
        let program = LineProgram(ReaderCommand("/bin/cat"), in: "/", probe: "", limits: .init(linesPerChild: 3))
        _ = try ask(program, "a", "b")
        #expect(program.process != nil)
        #expect(try ask(program, "c") == ["c"])
        #expect(program.process == nil)
    }
}
