// SPDX-License-Identifier: Apache-2.0

extension CrashReport {
    /// The stack that tells where it happened, oldest first: of the exception that is shown, else of one that led to it, else of the thread that crashed.
    var crashStack: [StackFrame] {
        if let exception = exceptions.last(where: { !$0.frames.isEmpty }) { return exception.frames }
        if let id = exceptions.last?.thread, let thread = threads.first(where: { $0.id == id && !$0.frames.isEmpty }) { return thread.frames }
        return crashedThread?.frames ?? frames
    }

    /// Of several threads none of which is marked, none is known to have crashed.
    private var crashedThread: CrashThread? {
        let telling = threads.filter { !$0.frames.isEmpty }
        return telling.first(where: \.crashed) ?? telling.first(where: \.current) ?? (telling.count == 1 ? telling[0] : nil)
    }
}
