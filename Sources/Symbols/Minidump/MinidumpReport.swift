// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Platform

extension Minidump {
    /// The frames of all threads together. Stacks are walked from the crashed thread on, so its stack is complete.
    private static let frames = 8_000

    /// Threads may share one stack, which would be walked for each. Without sharing, each caller's address is a word of the file.
    private var framesAtMost: Int {
        let stacks = Dictionary(threads.compactMap { $0.stack.map { ($0.place.lowerBound, $0.place.count) } }) { max($0, $1) }
        let words = stacks.values.reduce(memory.isEmpty ? 0 : bytes.count, +) / 4
        return min(Minidump.frames, threads.count + words + 1)
    }

    /// Returns what the dump says about the crash, with walked stacks. User, release and ID come from its sender.
    ///
    /// - Parameter symbols: Returns the Breakpad file of a debug ID, whose unwind records lead to callers.
    package func report(symbols: @escaping (DebugID) -> BreakpadFile? = { _ in nil }) -> CrashReport {
        var report = CrashReport(id: "", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: Int64(seconds) * 1_000), type: "")
        let reason = exception.map { CrashReason($0, system) }
        report.type = reason?.text ?? "DUMP_REQUESTED"
        report.reason = reason.flatMap { reason in reason.address.map { "\(reason.text) at 0x\(String($0, radix: 16))" } }
        report.handled = false
        report.platform = "native"
        report.exceptions = [thrown(report, reason)]
        report.images = modules.prefix(CrashLimits.images).map(image)
        report.threads = walkedThreads(symbols)
        report.installation = client
        report.customKeys = annotations
        report.context = [("platform", system.name), ("os_version", system.version)].compactMap { name, value in value.map { CustomKey(name, $0) } }
        return report
    }

    private func thrown(_ report: CrashReport, _ reason: CrashReason?) -> CrashException {
        var thrown = CrashException()
        (thrown.type, thrown.value) = (report.type, report.reason)
        thrown.thread = crashedThread.map(Int.init)
        thrown.mechanism.type = "minidump"
        thrown.mechanism.handled = false
        (thrown.mechanism.signal, thrown.mechanism.machException) = (reason?.signal, reason?.machException)
        return thrown
    }

    private func image(_ module: DumpModule) -> BinaryImage {
        var image = BinaryImage()
        image.type = system.imageType
        (image.debugID, image.codeID) = (module.debugID, module.codeID)
        (image.address, image.size) = (module.start, module.size)
        image.codeFile = module.name.isEmpty ? nil : module.name
        image.debugFile = module.debugFile
        image.architecture = system.processor?.name
        return image
    }

    // MARK: Stacks

    private func walkedThreads(_ symbols: @escaping (DebugID) -> BreakpadFile?) -> [CrashThread] {
        let walker = StackWalker(self) { module in modules[module].debugID.flatMap(symbols)?.symbols }
        var framesLeft = framesAtMost
        var stacks: [Int: [StackFrame]] = [:]
        let crashed = crashedThread
        let kept = threadsToKeep(crashed)
        for (index, thread) in kept.enumerated().sorted(by: { ($0.element.id == crashed ? 0 : 1) < ($1.element.id == crashed ? 0 : 1) }) {
            let isCrashed = thread.id == crashed
            guard framesLeft > 0, let state = isCrashed ? exception?.state ?? thread.state : thread.state else { continue }
            let frames = ends(of: walker.walk(thread, from: state, limit: min(framesLeft, StackWalker.frames)))
            framesLeft -= frames.count
            stacks[index] = frames.enumerated().reversed().map { frame($1, in: walker.modules, withRegisters: isCrashed && $0 == 0) }
        }
        return kept.enumerated().map { index, thread in
            var found = CrashThread()
            found.id = Int(thread.id)
            found.name = thread.name?.isEmpty == false ? thread.name : nil
            found.crashed = thread.id == crashed && exception != nil
            found.current = thread.id == crashed
            found.frames = stacks[index] ?? []
            return found
        }
    }

    /// Returns the first threads and the crashed one. A thread that is not listed still has the registers of its exception.
    private func threadsToKeep(_ crashed: UInt32?) -> [DumpThread] {
        guard let crashed else { return Array(threads.prefix(CrashLimits.threads)) }
        let one = threads.first { $0.id == crashed } ?? DumpThread(id: crashed, state: nil)
        if threads.prefix(CrashLimits.threads).contains(where: { $0.id == crashed }) { return Array(threads.prefix(CrashLimits.threads)) }
        return [one] + threads.prefix(CrashLimits.threads - 1)
    }

    /// Returns both ends of a stack that is too deep: where it failed, and how it began.
    private func ends(of frames: [WalkedFrame]) -> [WalkedFrame] {
        let limit = CrashLimits.threadFrames
        return frames.count <= limit ? frames : Array(frames.prefix(limit - limit / 2)) + frames.suffix(limit / 2)
    }

    private func frame(_ walked: WalkedFrame, in index: ModuleIndex, withRegisters: Bool) -> StackFrame {
        var frame = StackFrame()
        frame.address = walked.state.pc
        frame.trust = walked.trust
        if let module = index.module(at: walked.state.pc).map({ modules[$0] }) {
            frame.package = module.name.isEmpty ? nil : module.name
            frame.imageAddress = module.start
        }
        if withRegisters {
            frame.registers = walked.state.described.map { CustomKey($0.name, "0x" + String($0.value, radix: 16)) }
        }
        return frame
    }
}

/// A Breakpad file as the stack walk uses it.
package struct BreakpadFile {
    let symbols: ModuleSymbols

    package init(path: String) throws(SymbolFileError) {
        try self.init(ByteSource(path: path))
    }

    package init(bytes: [UInt8]) throws(SymbolFileError) {
        try self.init(ByteSource(bytes: bytes))
    }

    private init(_ source: ByteSource) throws(SymbolFileError) {
        symbols = ModuleSymbols(functions: try BreakpadIndex(source), unwind: try BreakpadUnwind(source))
    }

    /// The approximate memory in use.
    package var bytes: Int { symbols.functions.bytes + symbols.unwind.bytes }
}
