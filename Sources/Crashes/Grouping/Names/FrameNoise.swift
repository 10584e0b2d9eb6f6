// SPDX-License-Identifier: Apache-2.0

/// Simplified names of functions that do not identify a fault, such as `abort`. They belong to rule 1: a change here changes stored groups
/// and needs a new rule.
enum FrameNoise {
    /// Whether grouping skips a frame with this name. The app's own thread entry points such as `main` are kept, because a small program
    /// has no other frame.
    static func covers(_ name: ArraySlice<UInt8>, _ origin: FrameOrigin) -> Bool {
        guard !name.isEmpty, name.count <= longest else { return false }
        let key = key(name)
        if exact.contains(key) || origin != .app && bases.contains(key) { return true }
        return prefixes.begins(name)
    }

    private static let longest = 512
    private static let exact = Set(groups.joined().map { key(Array($0.utf8)[...]) })
    private static let bases = Set(threadBases.map { key(Array($0.utf8)[...]) })
    private static let prefixes = WordList(beginnings)

    /// Returns a 64-bit hash of the name. Collisions among a few hundred names are negligible.
    private static func key(_ name: ArraySlice<UInt8>) -> UInt64 {
        name.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static let groups = [aborts, throwers, traps, handlers, memory, locks, glue, drivers, managed, scripts]

    /// Functions that terminate a process.
    private static let aborts = [
        "__pthread_kill", "pthread_kill", "__pthread_kill_implementation", "__pthread_kill_internal", "__GI_raise", "__GI_abort", "raise", "abort",
        "__abort", "abort_with_payload", "__abort_with_payload", "abort_with_reason", "abort_with_payload_wrapper_internal", "kill", "__kill",
        "tgkill", "__terminate_with_payload", "exit", "_exit", "__exit", "quick_exit", "abort_message", "__assert_rtn", "__assert_fail",
        "__assert_fail_base", "__assert", "__assert2", "_wassert", "android_set_abort_message", "__fortify_fatal", "__fortify_chk_fail",
        "__stack_chk_fail", "__chk_fail", "__libc_message", "RaiseException", "RtlRaiseException", "RtlRaiseStatus", "RtlFailFast",
        "_invoke_watson", "_invalid_parameter", "_invalid_parameter_noinfo", "_invalid_parameter_noinfo_noreturn", "__fastfail",
        "UnhandledExceptionFilter", "TerminateProcess", "__builtin_trap",
    ]

    /// Functions that throw an exception or handle an unhandled one.
    private static let throwers = [
        "objc_exception_throw", "objc_exception_rethrow", "_objc_terminate", "__exceptionPreprocess", "_CFThrowFormattedException", "__cxa_throw",
        "__cxa_rethrow", "_Unwind_Resume", "_Unwind_RaiseException", "__cxxabiv1::__terminate", "std::terminate", "std::__terminate",
        "default_terminate_handler", "demangling_terminate_handler", "_CxxThrowException", "+[NSException raise:format:]",
        "+[NSException raise:format:arguments:]", "-[NSException raise]",
        "-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]",
        "-[NSAssertionHandler handleFailureInFunction:file:lineNumber:description:]", "-[NSObject doesNotRecognizeSelector:]",
        "+[NSObject doesNotRecognizeSelector:]", "___forwarding___", "__forwarding_prep_0___", "_CF_forwarding_prep_0", "__forwarding_prep_1___",
        "NSReportAssertionFailure", "RCTFatal", "RCTFatalException", "mutateError", "AG::precondition_failure",
    ]

    /// Swift's runtime checks.
    private static let traps = [
        "_assertionFailure", "assertionFailure", "_fatalErrorMessage", "fatalError", "_preconditionFailure", "preconditionFailure", "precondition",
        "assert", "_swift_runtime_on_report", "swift_unexpectedError", "_swift_stdlib_reportFatalError", "_swift_stdlib_reportFatalErrorInFile",
        "swift::fatalError", "swift::fatalErrorv", "swift::swift_abortRetainUnowned", "swift_abortRetainUnowned", "swift::crash",
        "swift_deletedMethodError", "swift_dynamicCast", "swift_dynamicCastClassUnconditional", "swift_unknownObjectUnownedCopyStrong",
        "swift_arrayInitWithCopy", "_swift_willThrow", "swift_willThrow", "_diagnoseUnexpectedNilOptional", "_unsafelyUnwrappedUnchecked.getter",
        "swift_task_reportUnexpectedExecutor", "dispatch_assert_queue", "dispatch_assert_queue$fail", "_dispatch_assert_queue_fail",
        "_checkExpectedExecutor", "_swift_task_checkIsolatedSwift", "swift_task_isCurrentExecutor",
    ]

    /// Functions of crash reporters.
    private static let handlers = [
        "_sigtramp", "__restore_rt", "__kernel_rt_sigreturn", "crashpad::HandleAbortSignal", "crashpad::CrashpadClient::DumpWithoutCrash",
        "KiUserExceptionDispatcher", "google_breakpad::ExceptionHandler::SignalHandler",
        "google_breakpad::ExceptionHandler::HandleInvalidParameter", "google_breakpad::ExceptionHandler::WriteMinidump", "art_sigsegv_fault",
        "art::FaultManager::HandleFault", "<signal handler called>", "__sigaction",
    ]

    /// Reference counting, copying and freeing. They fail because of an error elsewhere.
    private static let memory = [
        "objc_msgSend", "objc_msgSend_uncached", "objc_msgSendSuper2", "objc_msgSend_stret", "objc_retain", "objc_release", "objc_autorelease",
        "objc_autoreleaseReturnValue", "objc_storeStrong", "objc_storeWeak", "objc_loadWeakRetained", "objc_destroyWeak", "objc_opt_class",
        "objc_opt_isKindOfClass", "objc_opt_respondsToSelector", "lookUpImpOrForward", "_objc_release", "_objc_retain", "objc_object::release",
        "objc_object::sidetable_release", "_objc_rootRelease", "_CFRelease", "CFRelease", "CFRetain", "_CFRetain", "CF_IS_OBJC", "_Block_release",
        "_Block_copy", "_Block_object_dispose", "swift_retain", "swift_release", "_swift_retain", "_swift_release", "_swift_release_dealloc",
        "swift_deallocClassInstance", "swift_bridgeObjectRelease", "swift_bridgeObjectRetain", "swift_unknownObjectRelease",
        "swift_unknownObjectRetain", "swift_weakLoadStrong", "swift_isUniquelyReferenced_nonNull_native", "swift_beginAccess",
        "swift_getObjectType", "swift::RefCounts::doDecrementSlow", "swift::RefCounts::doDecrement", "free", "__libc_free", "_int_free", "malloc",
        "__libc_malloc", "_int_malloc", "realloc", "calloc", "malloc_vreport", "malloc_report", "malloc_zone_error", "malloc_error_break",
        "malloc_printerr", "malloc_consolidate", "munmap_chunk", "szone_free", "szone_malloc", "tiny_free_list_add_ptr", "free_tiny", "free_small",
        "small_free_list_add_ptr", "nanov2_guard_corruption_detected", "_free", "_malloc", "malloc_zone_malloc", "malloc_zone_free",
        "operator delete", "operator delete[]", "operator new", "operator new[]", "memcpy", "memmove", "memset", "memcmp", "bcopy", "bzero",
        "strlen", "strcmp", "strcpy", "strncpy", "_platform_memmove", "_platform_memset", "_platform_memcmp", "_platform_strlen",
        "_platform_strcmp", "__memcpy_chk", "__memmove_avx_unaligned_erms", "__memcpy_avx_unaligned_erms", "__memset_avx2_unaligned_erms",
        "__dynamic_cast", "RtlFreeHeap", "RtlAllocateHeap", "RtlReportCriticalFailure", "HeapFree", "HeapAlloc", "free_base", "_free_base",
        "_malloc_base",
    ]

    /// Functions that wait for a lock which other code holds or corrupted.
    private static let locks = [
        "pthread_mutex_lock", "_pthread_mutex_lock", "__pthread_mutex_lock", "___pthread_mutex_lock", "_pthread_mutex_firstfit_lock_slow",
        "_pthread_mutex_lock_slow", "pthread_mutex_unlock", "__psynch_mutexwait", "os_unfair_lock_lock", "_os_unfair_lock_lock_slow",
        "__ulock_wait", "__ulock_wait2", "_os_unfair_lock_corruption_abort", "__lll_lock_wait", "NonPI::MutexLockWithTimeout", "syscall",
        "RtlEnterCriticalSection", "NtWaitForAlertByThreadId", "ZwWaitForAlertByThreadId",
    ]

    /// Thunks generated by compilers.
    private static let glue = [
        "block_destroy_helper", "block_copy_helper", "__destroy_helper_block_", "__copy_helper_block_", "__block_descriptor_tmp",
        "@callee_guaranteed", "closure", "thunk", "partial apply", "_dispatch_client_callout", "_dispatch_call_block_and_release",
        "invocation function for block in", "_ArrayBuffer._nativeTypeChecked.getter", "_ArrayBuffer.getElement",
        "_ArrayBuffer._checkInoutAndNativeTypeCheckedBounds", "_ContiguousArrayBuffer._checkValidSubscript", "Array._getElement",
        "Array._checkSubscript", "Array._checkIndex", "Array.subscript.getter", "Array.subscript.modify", "ContiguousArray.subscript.getter",
        "ArraySlice.subscript.getter", "Collection.map", "Sequence.map", "Sequence.forEach", "Sequence.reduce", "Sequence.filter",
        "Sequence.compactMap", "Dictionary.subscript.getter", "Optional.map", "Optional.unsafelyUnwrapped.getter",
        "Optional._unsafelyUnwrappedUnchecked.getter", "Range.init", "Range._checkBounds", "ClosedRange.init", "String.subscript.getter",
        "String.index", "UnsafeMutablePointer.deinitialize",
    ]

    /// Graphics drivers that terminate a client's process.
    private static let drivers = [
        "gpusGenerateCrashLog", "gpusKillClient", "gpusKillClientExt", "gpus_ReturnNotPermittedKillClient", "gpus_ReturnGuiltyForHardwareRestart",
    ]

    /// Checks of the Java, Kotlin and .NET libraries, and calls generated by their runtimes.
    private static let managed = [
        "java.lang.Throwable.fillInStackTrace", "java.lang.Throwable.nativeFillInStackTrace", "java.util.Objects.requireNonNull",
        "java.util.Objects.checkIndex", "java.lang.reflect.Method.invoke", "java.lang.reflect.Constructor.newInstance",
        "dalvik.system.VMStack.getThreadStackTrace", "java.lang.Thread.getStackTrace", "System.ThrowHelper.ThrowArgumentOutOfRangeException",
        "System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess",
        "System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccessAndDebuggerNotification",
        "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw",
    ]

    /// Frames of browsers and interpreters.
    private static let scripts = [
        "eval", "[native code]", "native code", "eval code", "global code", "importlib._bootstrap:_call_with_frames_removed",
    ]

    private static let threadBases = [
        "start", "_start", "main", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone", "clone3", "__clone3", "thread_start",
        "_pthread_start", "_pthread_body", "__pthread_start", "start_wqthread", "_pthread_wqthread", "_pthread_root", "_dispatch_worker_thread",
        "_dispatch_worker_thread2", "_dispatch_worker_thread3", "_dispatch_worker_thread4", "_dispatch_root_queue_drain",
        "_dispatch_root_queue_drain_deferred_wlh", "_dispatch_workloop_worker_thread", "_dispatch_kevent_worker_thread",
        "_dispatch_queue_serial_drain", "_dispatch_lane_serial_drain", "_dispatch_lane_invoke", "_dispatch_queue_invoke",
        "_dispatch_continuation_pop", "_dispatch_async_redirect_invoke", "_dispatch_main_queue_drain", "_dispatch_main_queue_callback_4CF",
        "_dispatch_root_queues_init_once", "_dispatch_source_invoke", "_dispatch_source_latch_and_call",
        "_dispatch_lane_barrier_sync_invoke_and_complete", "_dispatch_sync_function_invoke", "_dispatch_queue_barrier_sync_invoke_and_complete",
        "_dispatch_once_callout", "dispatch_once_f", "__CFRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__",
        "__CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__", "__CFRUNLOOP_IS_CALLING_OUT_TO_AN_OBSERVER_CALLBACK_FUNCTION__",
        "__CFRUNLOOP_IS_CALLING_OUT_TO_A_TIMER_CALLBACK_FUNCTION__", "__CFRUNLOOP_IS_CALLING_OUT_TO_A_BLOCK__", "__CFRunLoopRun",
        "__CFRunLoopDoSources0", "__CFRunLoopDoSource0", "__CFRunLoopDoSource1", "__CFRunLoopDoTimers", "__CFRunLoopDoTimer",
        "__CFRunLoopDoObservers", "__CFRunLoopDoBlocks", "__CFRunLoopServiceMachPort", "CFRunLoopRun", "CFRunLoopRunSpecific",
        "_CFRunLoopRunSpecificWithOptions", "CFRunLoopRunInMode", "-[NSRunLoop runMode:beforeDate:]", "-[NSRunLoop runUntilDate:]",
        "GSEventRunModal", "UIApplicationMain", "NSApplicationMain", "-[UIApplication _run]", "-[NSApplication run]", "__NSThread__start__",
        "-[NSThread main]", "__NSThreadPerformPerform", "RtlUserThreadStart", "BaseThreadInitThunk", "invoke_main", "__scrt_common_main_seh",
        "mainCRTStartup", "wWinMain", "WinMain", "TppWorkerThread", "TppWorkpExecuteCallback", "swift_job_run", "swift_job_runImpl",
        "completeTaskWithClosure", "swift::runJobInEstablishedExecutorContext", "mach_msg_trap", "mach_msg", "mach_msg2_trap",
        "mach_msg2_internal", "mach_msg_overwrite", "__psynch_cvwait", "__workq_kernreturn", "__semwait_signal", "java.lang.Thread.run",
        "java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run",
        "java.util.concurrent.FutureTask.run", "java.util.concurrent.Executors$RunnableAdapter.call", "android.os.Handler.handleCallback",
        "android.os.Handler.dispatchMessage", "android.os.Looper.loop", "android.os.Looper.loopOnce", "android.app.ActivityThread.main",
        "dalvik.system.NativeStart.main", "com.android.internal.os.ZygoteInit.main", "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run",
        "com.android.internal.os.ZygoteInit$MethodAndArgsCaller.run", "kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith",
        "kotlinx.coroutines.DispatchedTask.run", "kotlinx.coroutines.scheduling.CoroutineScheduler.runSafely",
        "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run",
    ]

    /// Prefixes of names from libraries that are compiled into the app, and of families of names.
    private static let beginnings = [
        "std::", "boost::", "Rtlp", "objc_retain_x", "objc_release_x", "__gnu_cxx::", "__cxxabiv1::", "__swift_", "swift_arrayDestroy",
        "swift::metadataimpl::", "AG::precondition_failure", "__destroy_helper_block", "__copy_helper_block", "_dispatch_assert_queue",
        "kotlin.jvm.internal.Intrinsics.", "core::panicking::", "core::result::unwrap_failed", "core::option::", "std::panicking::",
        "rust_begin_unwind", "runtime.gopanic", "runtime.throw", "_swift_runtime",
    ]
}
