// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

@Suite struct UploadStateTests {
    private static let kibi = 1 << 10

    /// Carries out what is next until the state wants bytes or is over.
    private static func steps(_ state: inout UploadState) -> [UploadState.Step] {
        var steps: [UploadState.Step] = []
        while ![.receive, .nothing].contains(state.next) {
            steps.append(state.next)
            state.did(state.next)
        }
        return steps
    }

    @Test func `a small upload of one request is recorded from memory`() throws {
        var state = UploadState(length: nil, limit: 1 << 30)
        #expect(try state.receive(10 * Self.kibi) == .memory)
        #expect(try state.receive(6 * Self.kibi) == .memory)
        try state.end()
        #expect(Self.steps(&state) == [.record(isInline: true)])
        #expect(state.isOver && state.next == .nothing)
    }

    @Test func `an empty file is recorded`() throws {
        var state = UploadState(length: 0, limit: 1 << 30)
        #expect(state.isComplete)
        try state.end()
        #expect(Self.steps(&state) == [.record(isInline: true)])
    }

    @Test func `the first byte beyond memory goes to a file, and the file is synced and moved before its row`() throws {
        var state = UploadState(length: nil, limit: 1 << 30)
        #expect(try state.receive(16 * Self.kibi) == .memory)
        #expect(try state.receive(1) == .newFile)
        #expect(try state.receive(5) == .file(at: Int64(16 * Self.kibi) + 1))
        try state.end()
        #expect(Self.steps(&state) == [.sync, .move, .record(isInline: false)])
    }

    @Test func `a piece is synced before its offset is committed`() throws {
        var state = UploadState(length: 100_000, limit: 1 << 30, committed: 0)
        #expect(try state.receive(40_000) == .file(at: 0))
        try state.pause()
        #expect(throws: UploadState.Fault.closed) { try state.receive(1) }
        #expect(Self.steps(&state) == [.sync, .commitOffset(40_000)])
        #expect(state.committed == 40_000 && state.next == .receive)
        #expect(try state.receive(60_000) == .file(at: 40_000))
        try state.end()
        #expect(Self.steps(&state) == [.sync, .move, .record(isInline: false)])
    }

    @Test func `an upload that goes on after a kill reads its sums again`() throws {
        var state = UploadState(length: 100_000, limit: 1 << 30, committed: 40_000)
        #expect(state.received == 40_000)
        #expect(try state.receive(60_000) == .file(at: 40_000))
        try state.end()
        #expect(Self.steps(&state) == [.readSums, .sync, .move, .record(isInline: false)])
    }

    @Test func `a small upload of several requests is recorded without a move`() throws {
        var state = UploadState(length: 20, limit: 1 << 30, committed: 0)
        _ = try state.receive(10)
        try state.pause()
        #expect(Self.steps(&state) == [.sync, .commitOffset(10)])
        _ = try state.receive(10)
        try state.end()
        #expect(Self.steps(&state) == [.record(isInline: true)])
    }

    @Test func `bytes beyond the declared length or the limit are refused`() throws {
        var declared = UploadState(length: 10, limit: 100)
        #expect(try declared.receive(10) == .memory)
        #expect(throws: UploadState.Fault.tooLong) { try declared.receive(1) }
        var limited = UploadState(length: nil, limit: 100)
        #expect(throws: UploadState.Fault.tooLong) { try limited.receive(101) }
        #expect(limited.received == 0)
        #expect(try limited.receive(100) == .memory)
        #expect(throws: UploadState.Fault.tooLong) { try limited.declare(99) }
        var lowered = UploadState(length: nil, limit: 100, committed: 200)
        #expect(throws: UploadState.Fault.tooLong) { try lowered.declare(200) }
        var both = UploadState(length: 200, limit: 100)
        #expect(throws: UploadState.Fault.tooLong) { try both.receive(101) }
    }

    @Test func `an upload cannot end before its declared length, and goes on`() throws {
        var state = UploadState(length: 10, limit: 100)
        _ = try state.receive(9)
        #expect(throws: UploadState.Fault.incomplete(received: 9)) { try state.end() }
        _ = try state.receive(1)
        try state.end()
    }

    @Test func `an offset that was received is skipped, and a later one is refused`() throws {
        var state = UploadState(length: 100, limit: 100, committed: 0)
        _ = try state.receive(40)
        #expect(try state.overlap(from: 40) == 0)
        #expect(try state.overlap(from: 0) == 40)
        for offset in [-1, 41] as [Int64] {
            #expect(throws: UploadState.Fault.wrongOffset(received: 40)) { try state.overlap(from: offset) }
        }
    }

    @Test func `a cut goes back to the committed offset, and only bytes that were cut spoil the sums`() throws {
        var state = UploadState(length: 100_000, limit: 1 << 30, committed: 0)
        _ = try state.receive(40_000)
        try state.pause()
        _ = Self.steps(&state)
        state.cut()
        #expect(state.received == 40_000)
        _ = try state.receive(10_000)
        state.cut()
        #expect(state.received == 40_000)
        _ = try state.receive(60_000)
        try state.end()
        #expect(Self.steps(&state) == [.readSums, .sync, .move, .record(isInline: false)])
    }

    @Test func `a cut to the start needs no sums`() throws {
        var state = UploadState(length: 100_000, limit: 1 << 30, committed: 0)
        _ = try state.receive(40_000)
        state.cut()
        #expect(try state.receive(100_000) == .file(at: 0))
        try state.end()
        #expect(Self.steps(&state) == [.sync, .move, .record(isInline: false)])
    }

    @Test func `an end that failed after the move is repeated with the move`() throws {
        var state = UploadState(length: 100_000, limit: 1 << 30, committed: 0)
        _ = try state.receive(100_000)
        try state.end()
        for step in [UploadState.Step.sync, .move] {
            #expect(state.next == step)
            state.did(step)
        }
        #expect(state.isMoved)
        state.reopen()
        #expect(!state.isMoved && state.next == .receive)
        try state.end()
        #expect(Self.steps(&state) == [.readSums, .move, .record(isInline: false)])
    }

    @Test func `nothing is done after the end`() throws {
        var state = UploadState(length: nil, limit: 10)
        state.close()
        #expect(state.next == .nothing)
        state.cut()
        #expect(state.isOver)
        #expect(throws: UploadState.Fault.closed) { try state.receive(1) }
        #expect(throws: UploadState.Fault.closed) { try state.pause() }
        #expect(throws: UploadState.Fault.closed) { try state.end() }
        #expect(throws: UploadState.Fault.closed) { try state.overlap(from: 0) }
    }
}
