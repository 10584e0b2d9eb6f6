// SPDX-License-Identifier: Apache-2.0

/// Exception codes of Windows, which are NTSTATUS values.
enum WindowsFault {
    private static let names: [UInt32: String] = [
        0x8000_0001: "EXCEPTION_GUARD_PAGE", 0x8000_0002: "EXCEPTION_DATATYPE_MISALIGNMENT", 0x8000_0003: "EXCEPTION_BREAKPOINT",
        0x8000_0004: "EXCEPTION_SINGLE_STEP", 0xc000_0005: "EXCEPTION_ACCESS_VIOLATION", 0xc000_0006: "EXCEPTION_IN_PAGE_ERROR",
        0xc000_0008: "EXCEPTION_INVALID_HANDLE", 0xc000_001d: "EXCEPTION_ILLEGAL_INSTRUCTION", 0xc000_0025: "EXCEPTION_NONCONTINUABLE_EXCEPTION",
        0xc000_0026: "EXCEPTION_INVALID_DISPOSITION", 0xc000_008c: "EXCEPTION_BOUNDS_EXCEEDED", 0xc000_008d: "EXCEPTION_FLT_DENORMAL_OPERAND",
        0xc000_008e: "EXCEPTION_FLT_DIVIDE_BY_ZERO", 0xc000_008f: "EXCEPTION_FLT_INEXACT_RESULT", 0xc000_0090: "EXCEPTION_FLT_INVALID_OPERATION",
        0xc000_0091: "EXCEPTION_FLT_OVERFLOW", 0xc000_0092: "EXCEPTION_FLT_STACK_CHECK", 0xc000_0093: "EXCEPTION_FLT_UNDERFLOW",
        0xc000_0094: "EXCEPTION_INT_DIVIDE_BY_ZERO", 0xc000_0095: "EXCEPTION_INT_OVERFLOW", 0xc000_0096: "EXCEPTION_PRIV_INSTRUCTION",
        0xc000_00fd: "EXCEPTION_STACK_OVERFLOW", 0xc000_0194: "EXCEPTION_POSSIBLE_DEADLOCK", 0x4000_0015: "STATUS_FATAL_APP_EXIT",
        0xc000_0409: "STATUS_STACK_BUFFER_OVERRUN", 0xc000_0374: "STATUS_HEAP_CORRUPTION", 0xc000_0017: "STATUS_NO_MEMORY",
        0xc000_0135: "STATUS_DLL_NOT_FOUND", 0xc000_0139: "STATUS_ENTRYPOINT_NOT_FOUND", 0xc000_0142: "STATUS_DLL_INIT_FAILED",
        0xc000_013a: "STATUS_CONTROL_C_EXIT", 0xc000_0417: "STATUS_INVALID_CRUNTIME_PARAMETER", 0xc000_0420: "STATUS_ASSERTION_FAILURE",
        0xc000_0602: "STATUS_FAIL_FAST_EXCEPTION", 0xe06d_7363: "Unhandled C++ Exception", 0xe043_4352: ".NET Exception",
        0xe000_0008: "Out of Memory", 0x0517_a7ed: "Simulated Exception", 0x0eed_fade: "Unhandled Delphi Exception",
    ]

    /// The codes of `__fastfail`, which end a process as a stack buffer overrun.
    private static let fastFails: [UInt64: String] = [
        0: "LEGACY_GS_VIOLATION", 1: "VTGUARD_CHECK_FAILURE", 2: "STACK_COOKIE_CHECK_FAILURE", 3: "CORRUPT_LIST_ENTRY", 4: "INCORRECT_STACK",
        5: "INVALID_ARG", 6: "GS_COOKIE_INIT", 7: "FATAL_APP_EXIT", 8: "RANGE_CHECK_FAILURE", 9: "UNSAFE_REGISTRY_ACCESS",
        10: "GUARD_ICALL_CHECK_FAILURE", 11: "GUARD_WRITE_CHECK_FAILURE", 12: "INVALID_FIBER_SWITCH", 13: "INVALID_SET_OF_CONTEXT",
        14: "INVALID_REFERENCE_COUNT", 18: "INVALID_JUMP_BUFFER", 19: "MRDATA_MODIFIED", 20: "CERTIFICATION_FAILURE",
        21: "INVALID_EXCEPTION_CHAIN", 22: "CRYPTO_LIBRARY", 23: "INVALID_CALL_IN_DLL_CALLOUT", 24: "INVALID_IMAGE_BASE",
        25: "DLOAD_PROTECTION_FAILURE", 26: "UNSAFE_EXTENSION_CALL", 27: "DEPRECATED_SERVICE_INVOKED", 28: "INVALID_BUFFER_ACCESS",
        29: "INVALID_BALANCED_TREE", 30: "INVALID_NEXT_THREAD", 31: "GUARD_ICALL_CHECK_SUPPRESSED", 32: "APCS_DISABLED",
        33: "INVALID_IDLE_STATE", 34: "MRDATA_PROTECTION_FAILURE", 35: "UNEXPECTED_HEAP_EXCEPTION", 36: "INVALID_LOCK_STATE",
        37: "GUARD_JUMPTABLE", 38: "INVALID_LONGJUMP_TARGET", 39: "INVALID_DISPATCH_CONTEXT", 54: "HEAP_METADATA_CORRUPTION",
        57: "CONTROL_INVALID_RETURN_ADDRESS",
    ]

    /// Returns `EXCEPTION_ACCESS_VIOLATION_WRITE` for a write to invalid memory, and the number of a code without a name.
    static func name(of exception: DumpException) -> String {
        let first = exception.parameters.first
        if isAccess(exception.code) {
            let kind = [0: "_READ", 1: "_WRITE", 8: "_EXEC"][first ?? .max]
            return (names[exception.code] ?? "") + (kind ?? "")
        }
        if exception.code == 0xc000_0409, let first, let name = fastFails[first] { return "FAST_FAIL_\(name)" }
        return names[exception.code] ?? "0x" + String(exception.code, radix: 16)
    }

    /// Whether the first parameter says how and the second which address was accessed.
    static func isAccess(_ code: UInt32) -> Bool { code == 0xc000_0005 || code == 0xc000_0006 }
}
