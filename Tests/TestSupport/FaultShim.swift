// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc

/// A preloaded library between the daemon and libc. It journals changes to files, injects failures, sets clocks and resolves hosts.
///
/// `Tests/FaultShim/include/FaultShim.h` describes the memory that it shares with the test.
package final class FaultShim: Sendable {
    private enum Word: off_t {
        case clockOffset, failFirst, failures, error, calls, failed, failedKind, asleep
    }

    /// The kinds of calls that change a file or a name.
    package enum Call: Int, Sendable {
        case create = 1
        case write, truncate, sync, syncFolder, rename, remove, makeFolder
    }

    private let files = TemporaryFolder()
    private let control: Int32
    /// The environment that preloads the library.
    package let environment: [String: String]

    package init(watching folder: String) {
        let path = files.path
        control = open(path + "/control", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        ftruncate(control, 4_096)
        let library = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/libfault-shim.so"
        environment = [
            "LD_PRELOAD": library, "SIGNALBOX_SHIM_ROOT": folder, "SIGNALBOX_SHIM_JOURNAL": path + "/journal",
            "SIGNALBOX_SHIM_CONTROL": path + "/control", "SIGNALBOX_SHIM_HOSTS": path + "/hosts",
        ]
    }

    deinit { close(control) }

    // MARK: The journal

    package var journal: Data { (try? Data(contentsOf: URL(fileURLWithPath: files.path + "/journal"))) ?? Data() }

    /// The length of the journal. Everything durable now was journalled before this position.
    package var journalBytes: Int {
        var info = stat()
        return stat(files.path + "/journal", &info) == 0 ? Int(info.st_size) : 0
    }

    // MARK: Failing

    /// Makes calls fail from this number on, counted from now over all kinds.
    package func fail(_ error: Int32, from first: Int, failures: Int = .max) {
        heal()
        for word in [Word.calls, .failed, .failedKind] { self[word] = 0 }
        self[.error] = Int(error)
        self[.failures] = failures
        self[.failFirst] = first
    }

    /// Kills the program before the call with this number, counted from now over all kinds.
    package func kill(at call: Int) { fail(-1, from: call) }

    package func heal() { self[.failFirst] = 0 }

    /// The number of calls on the folder's files since `fail` or `kill`.
    package var calls: Int { self[.calls] }
    package var failed: Int { self[.failed] }
    /// The kind of the first failed call.
    package var failedCall: Call? { Call(rawValue: self[.failedKind]) }

    // MARK: Hosts

    /// Sets the address to which a host name resolves.
    package func setHost(_ name: String, to address: String) throws {
        try Data("\(address) \(name)\n".utf8).write(to: URL(fileURLWithPath: files.path + "/hosts"), options: .atomic)
    }

    // MARK: Clocks

    /// Shifts the wall clock relative to the real one.
    package func setClock(_ offset: Duration) { self[.clockOffset] = Int(offset / .nanoseconds(1)) }

    /// Simulates that the machine has slept for this time.
    package func setAsleep(_ time: Duration) { self[.asleep] = Int(time / .nanoseconds(1)) }

    private subscript(word: Word) -> Int {
        get {
            var value = 0
            pread(control, &value, 8, word.rawValue * 8)
            return value
        }
        set {
            var value = newValue
            pwrite(control, &value, 8, word.rawValue * 8)
        }
    }
}
