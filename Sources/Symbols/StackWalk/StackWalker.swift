// SPDX-License-Identifier: Apache-2.0

import Crashes

/// Finds the callers of a thread's innermost function in a minidump.
///
/// For each frame it tries, in this order, the unwind records of a Breakpad file, the frame pointer, and a search of the stack for an
/// address in code. A frame states which of these found it:
///
///     0x401d72   context   the registers of the thread
///     0x401ec0   cfi       unwind records
///     0x414c30   fp        frame pointer
///     0x401dc0   scan      may be a remainder of an earlier call
///
/// The number of frames and the searched part of the stack are bounded.
struct StackWalker {
    /// The number of frames of one stack. A report keeps fewer; this many show a recursion.
    static let frames = 512
    /// The number of words to search for the caller of the innermost frame, and of others.
    private static let wordsFromContext = 160
    private static let words = 40

    let dump: Minidump
    let modules: ModuleIndex
    /// Returns the records of a module, by its index in the dump.
    let symbols: (Int) -> ModuleSymbols?

    init(_ dump: Minidump, symbols: @escaping (Int) -> ModuleSymbols? = { _ in nil }) {
        self.dump = dump
        modules = ModuleIndex(dump.modules)
        self.symbols = symbols
    }

    /// Returns a thread's frames, the innermost first.
    func walk(_ thread: DumpThread, from state: CPUState, limit: Int = frames) -> [WalkedFrame] {
        let stack = StackMemory(dump, thread, state)
        var frames = [WalkedFrame(state: state, trust: .context)]
        while frames.count < limit, let next = caller(of: frames, stack) { frames.append(next) }
        return frames
    }

    private func caller(of frames: [WalkedFrame], _ stack: StackMemory) -> WalkedFrame? {
        guard let frame = frames.last else { return nil }
        let isInnermost = frames.count == 1
        switch recordedCaller(of: frames, stack) {
        case .caller(let found): return found
        case .end: return nil
        case .unknown: break
        }
        switch linkedCaller(of: frame, isInnermost: isInnermost, stack) {
        case .caller(let found): return found
        case .end: return nil
        case .unknown: break
        }
        return scannedCaller(of: frame, words: isInnermost ? StackWalker.wordsFromContext : StackWalker.words, stack)
    }

    /// The result of one method.
    enum Step {
        case caller(WalkedFrame)
        /// The frame has no caller.
        case end
        case unknown
    }

    // MARK: Code

    /// Whether the address may be in a function: in a module or, if the dump lists mappings, in an executable one.
    func isCode(_ address: UInt64) -> Bool {
        if let known = dump.memory.isCode(address) { return known }
        return modules.module(at: address) != nil
    }

    /// Whether the address may be one that a call returns to. The call precedes it, so the start of a module is none. With symbols it must be
    /// in a function.
    private func isReturnAddress(_ address: UInt64) -> Bool {
        guard address > 0, isCode(address), isCode(address - 1) else { return false }
        guard let module = modules.module(at: address - 1), let symbols = symbols(module) else { return true }
        return symbols.hasFunction(at: address - 1 - dump.modules[module].start)
    }

    /// Removes the signature of a pointer, which newer ARM processors add to return addresses.
    func withoutSignature(_ address: UInt64) -> UInt64 {
        dump.system.processor == .arm64 ? address & modules.addressMask : address
    }

    // MARK: Search

    /// Searches the stack for a return address from the stack pointer on.
    private func scannedCaller(of frame: WalkedFrame, words: Int, _ stack: StackMemory) -> WalkedFrame? {
        let width = UInt64(stack.width)
        var place = frame.state.sp
        for _ in 0..<words {
            guard let word = stack.word(at: place) else { return nil }
            let address = withoutSignature(word)
            let (after, isTooFar) = place.addingReportingOverflow(width)
            guard !isTooFar else { return nil }
            if isReturnAddress(address) {
                var state = frame.state.caller(pc: address, sp: after)
                keepFramePointer(in: &state, savedAt: place &- width, stack)
                return WalkedFrame(state: state, trust: .scan)
            }
            place = after
        }
        return nil
    }

    /// A function stores its caller's frame pointer directly below the return address. Without one there, the frame pointer is only kept
    /// if it is still above the stack pointer.
    private func keepFramePointer(in state: inout CPUState, savedAt place: UInt64, _ stack: StackMemory) {
        let saved = stack.word(at: place)
        if let saved, saved > place, stack.word(at: saved) != nil {
            state[2] = saved
        } else if let current = state[2], current < state.sp || stack.word(at: current) == nil {
            state[2] = nil
        }
    }
}

/// A frame found by walking a stack.
struct WalkedFrame: Sendable {
    var state: CPUState
    var trust: FrameTrust
    /// The bytes of parameters that its callee removed from the stack, on 32-bit Windows.
    var calleeParameterBytes: UInt64 = 0
}

/// The records of a module's Breakpad file.
struct ModuleSymbols {
    let functions: BreakpadIndex
    let unwind: BreakpadUnwind

    /// Whether a function or a public name is at or before the offset.
    func hasFunction(at offset: UInt64) -> Bool { functions.hasFunction(at: offset) }
}

/// A thread's stack, and the memory beside it.
struct StackMemory {
    let width: Int
    private let bytes: DumpBytes
    private let stack: MemoryRegion?
    private let memory: DumpMemory

    init(_ dump: Minidump, _ thread: DumpThread, _ state: CPUState) {
        width = state.processor.width
        (bytes, memory) = (dump.bytes, dump.memory)
        let own = thread.stack.flatMap { $0.reaches(state.sp) ? $0 : nil }
        stack = own ?? dump.memory.region(at: state.sp) ?? thread.stack
    }

    func word(at address: UInt64) -> UInt64? {
        if let place = stack?.place(of: address, width: width) { return bytes.word(place, width) }
        return memory.region(at: address)?.place(of: address, width: width).flatMap { bytes.word($0, width) }
    }
}
