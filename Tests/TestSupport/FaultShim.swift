// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc

/// The library that stands between a daemon and the C library: it journals what is done to the files of a folder, makes calls fail, sets clocks and says where hosts are.
///
/// What it shares with the program is described in `Tests/FaultShim/include/FaultShim.h`.
package final class FaultShim: Sendable {
    private enum Word: off_t {
        case clockOffset, failFirst, failures, error, calls, failed, failedKind, asleep
    }

    /// What a call does to a file or to a name.
    package enum Call: Int, Sendable {
        case create = 1
        case write, truncate, sync, syncFolder, rename, remove, makeFolder
    }

    private let files = TemporaryFolder()
    private let control: Int32
    /// What a program is started with to be under it.
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

    /// Whatever is durable now was in the journal before this place.
    package var journalBytes: Int {
        var info = stat()
        return stat(files.path + "/journal", &info) == 0 ? Int(info.st_size) : 0
    }

    // MARK: Failing

    /// Makes calls fail from the one with this number on, counted from now over all kinds.
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

    /// Calls on the folder's files since then.
    package var calls: Int { self[.calls] }
    package var failed: Int { self[.failed] }
    /// What the first that failed would have done.
    package var failedCall: Call? { Call(rawValue: self[.failedKind]) }

    // MARK: Hosts

    /// Where a name leads from now on for who looks it up.
    package func setHost(_ name: String, to address: String) throws {
        try Data("\(address) \(name)\n".utf8).write(to: URL(fileURLWithPath: files.path + "/hosts"), options: .atomic)
    }

    // MARK: Clocks

    /// Sets the calendar clock forwards or backwards from what it is.
    package func setClock(_ offset: Duration) { self[.clockOffset] = Int(offset / .nanoseconds(1)) }

    /// Lets the machine have been asleep for so long by now.
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
