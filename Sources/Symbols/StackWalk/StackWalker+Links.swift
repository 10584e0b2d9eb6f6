// SPDX-License-Identifier: Apache-2.0

import Crashes

/// Callers by the frame pointer: each function stores its caller's frame pointer and the return address side by side.
///
///     rbp       → the caller's rbp
///     rbp + 8   → the return address
///     rbp + 16  = the caller's rsp
extension StackWalker {
    func linkedCaller(of frame: WalkedFrame, isInnermost: Bool, _ stack: StackMemory) -> Step {
        let width = UInt64(stack.width)
        guard let pointer = frame.state.framePointer(ofApple: dump.system.isApple) else { return .unknown }
        guard pointer > 0 else { return frame.trust == .context ? .unknown : .end }
        guard pointer % width == 0, pointer >= frame.state.sp, pointer < .max - 2 * width,
            let saved = stack.word(at: pointer), let returned = stack.word(at: pointer + width)
        else { return .unknown }
        // The outermost frame has no link, or one that is not on the stack.
        guard saved == 0 || saved > pointer && stack.word(at: saved) != nil else { return .unknown }
        let below = pointer + 2 * width
        switch frame.state.processor {
        case .x86, .amd64: return linked(frame, pc: returned, sp: below, pointer: saved)
        case .arm, .arm64: return linked(frame, saved: saved, returned: withoutSignature(returned), pointer, sp: below, isInnermost)
        }
    }

    private func linked(_ frame: WalkedFrame, pc: UInt64, sp: UInt64, pointer: UInt64) -> Step {
        if pc == 0, pointer == 0 { return .end }
        guard isCode(pc) else { return .unknown }
        var state = frame.state.caller(pc: pc, sp: sp)
        setPointer(pointer, in: &state)
        return .caller(WalkedFrame(state: state, trust: .fp))
    }

    /// On ARM the return address of the innermost function may still be in the link register: a function that calls none need not store it.
    /// Its own caller then follows with an unchanged frame pointer.
    private func linked(
        _ frame: WalkedFrame, saved: UInt64, returned: UInt64, _ pointer: UInt64, sp: UInt64, _ isInnermost: Bool
    ) -> Step {
        if isInnermost, let link = frame.state["lr"].map(withoutSignature), link != returned, isCode(link), isOtherFunction(link, frame) {
            var state = frame.state.caller(pc: link, sp: frame.state.sp)
            setPointer(pointer, in: &state)
            return .caller(WalkedFrame(state: state, trust: .fp))
        }
        return linked(frame, pc: returned, sp: sp, pointer: saved)
    }

    /// Whether the link register points into another function than the frame's. After a call it points into the function itself. Without
    /// symbols that is not known, and the stored return address is used.
    private func isOtherFunction(_ link: UInt64, _ frame: WalkedFrame) -> Bool {
        guard let module = modules.module(at: frame.state.pc), let symbols = symbols(module) else { return false }
        let start = dump.modules[module].start
        guard let own = symbols.functions.function(at: frame.state.pc - start) else { return false }
        return link <= start || !own.holds(link - 1 - start)
    }

    private func setPointer(_ pointer: UInt64, in state: inout CPUState) {
        state[state.processor == .arm && dump.system.isApple ? 3 : 2] = pointer
    }
}
