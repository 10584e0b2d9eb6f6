// SPDX-License-Identifier: Apache-2.0

import CLibFuzzer
import FuzzTargets
import Glibc

// `signalbox-fuzz TARGET [libFuzzer's arguments and corpus folders]`; with a file instead of a folder it runs that one input.

let arguments = CommandLine.arguments
guard arguments.count > 1, let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(arguments.count > 1 ? 2 : 0)
}

// The C callback cannot capture, so the target is stored here; libFuzzer calls it on this thread only.
let run = target.run
var count = Int32(arguments.count - 1)
// libFuzzer keeps the pointers for the lifetime of the process.
var texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(
    LLVMFuzzerRunDriver(&count, &texts) { bytes, count in
        run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    })
