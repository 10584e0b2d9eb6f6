// SPDX-License-Identifier: Apache-2.0

extension CrashReport {
    /// The stack used for grouping, oldest frame first: that of the outermost exception, else of one of its causes, else of the crashed
    /// thread.
    var crashStack: [StackFrame] {
        if let exception = exceptions.last(where: { !$0.frames.isEmpty }) { return exception.frames }
        if let id = exceptions.last?.thread, let thread = threads.first(where: { $0.id == id && !$0.frames.isEmpty }) { return thread.frames }
        return crashedThread?.frames ?? frames
    }

    /// All frames, those of the crash before those of other threads.
    package var allFrames: [StackFrame] {
        exceptions.flatMap(\.frames) + frames + threads.sorted { $0.crashed && !$1.crashed }.flatMap(\.frames)
    }

    /// The thread that crashed. Nil if there are several and none is marked.
    private var crashedThread: CrashThread? {
        let telling = threads.filter { !$0.frames.isEmpty }
        return telling.first(where: \.crashed) ?? telling.first(where: \.current) ?? (telling.count == 1 ? telling[0] : nil)
    }
}
