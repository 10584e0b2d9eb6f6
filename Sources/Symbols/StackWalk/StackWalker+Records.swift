// SPDX-License-Identifier: Apache-2.0

import Crashes

/// Callers by the unwind records of Breakpad files.
extension StackWalker {
    func recordedCaller(of frames: [WalkedFrame], _ stack: StackMemory) -> Step {
        guard let frame = frames.last else { return .unknown }
        // A return address may belong to the next function, as a call can be the last instruction.
        let address = frames.count == 1 ? frame.state.pc : frame.state.pc &- 1
        guard let module = modules.module(at: address), let symbols = symbols(module) else { return .unknown }
        let offset = address - dump.modules[module].start
        // An unreadable file is like one without records.
        if let rules = try? symbols.unwind.rules(at: offset) { return caller(of: frame, by: rules, isInnermost: frames.count == 1, stack) }
        if frame.state.processor == .x86, let record = try? symbols.unwind.windowsFrame(at: offset) { return caller(of: frame, by: record, stack) }
        return .unknown
    }

    /// Evaluates the rules. The canonical frame address is the caller's stack pointer unless a rule says otherwise.
    private func caller(of frame: WalkedFrame, by rules: UnwindRules, isInnermost: Bool, _ stack: StackMemory) -> Step {
        var machine = PostfixMachine(frame.state, memory: stack.word)
        guard let cfa = rules.expressions[".cfa"].flatMap({ machine.value($0) }) else { return .unknown }
        machine = PostfixMachine(frame.state, variables: [".cfa": cfa], memory: stack.word)
        guard let returned = rules.expressions[".ra"].flatMap({ machine.value($0) }).map(withoutSignature) else { return .unknown }
        if returned == 0 { return .end }
        var state = frame.state.caller(pc: returned, sp: cfa)
        for (name, expression) in rules.expressions where name != ".cfa" && name != ".ra" {
            guard let index = state.processor.index(of: name.hasPrefix("$") ? String(name.dropFirst()) : name) else { continue }
            state[index] = machine.value(expression)
        }
        state.pc = returned
        if state[1] == nil { state.sp = cfa }
        return checked(state, after: frame, isInnermost)
    }

    /// Runs the program of a Windows record, or one that its sizes imply.
    private func caller(of frame: WalkedFrame, by record: WindowsFrame, _ stack: StackMemory) -> Step {
        let parameters = frame.calleeParameterBytes
        var search = frame.state.sp &+ parameters &+ record.localBytes &+ record.savedBytes
        if record.program.contains(where: { $0.elementsEqual("@".utf8) }) {
            // Aligning lost the original stack pointer, so only the base pointer leads to the return address.
            search = (frame.state[2] ?? 0) &+ 4
        } else if record.program.isEmpty {
            search = firstReturnAddress(from: search, stack) ?? search
        }
        let variables: [String: UInt64] = [
            ".cbCalleeParams": parameters, ".cbSavedRegs": record.savedBytes, ".cbLocals": record.localBytes, ".cbParams": record.parameterBytes,
            ".raSearch": search, ".raSearchStart": search,
        ]
        var machine = PostfixMachine(frame.state, variables: variables, memory: stack.word)
        let program = record.program.isEmpty ? StackWalker.program(record) : record.program
        guard machine.assign(program), let pc = machine.variables["eip"], let sp = machine.variables["esp"] else { return .unknown }
        if pc == 0 { return .end }
        var state = frame.state.caller(pc: pc, sp: sp)
        for name in ["ebp", "ebx", "esi", "edi"] {
            if let value = machine.variables[name] { state[name] = value }
        }
        guard case .caller(var found) = checked(state, after: frame, false) else { return .unknown }
        found.calleeParameterBytes = record.parameterBytes
        return .caller(found)
    }

    private static func program(_ record: WindowsFrame) -> [ArraySlice<UInt8>] {
        let text = "$eip .raSearchStart ^ = $esp .raSearchStart 4 + ="
        let pointer = " $ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ ="
        return Array((record.changesBasePointer ? text + pointer : text).utf8).split(separator: 0x20)
    }

    /// Returns the first of a few words that is an address of code.
    private func firstReturnAddress(from start: UInt64, _ stack: StackMemory) -> UInt64? {
        (0..<3).lazy.map { start &+ 4 * $0 }.first { stack.word(at: $0).map(isCode) == true }
    }

    /// A caller is further up the stack and in code. Only the innermost function may not have used the stack.
    private func checked(_ state: CPUState, after frame: WalkedFrame, _ isInnermost: Bool) -> Step {
        guard state.sp > frame.state.sp || isInnermost && state.sp == frame.state.sp && state.pc != frame.state.pc, isCode(state.pc) else {
            return .unknown
        }
        return .caller(WalkedFrame(state: state, trust: .cfi))
    }
}
