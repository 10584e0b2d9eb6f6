// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// An exclusive lock on a folder. The system releases it when the process ends.
final class FolderLock: Sendable {
    private let descriptor: Locked<Int32>

    init(folder: String) throws(SignalboxError) {
        let descriptor = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .folderUnusable(path: folder, reason: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .folderInUse(path: folder)
        }
        self.descriptor = Locked(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the lock; further calls do nothing.
    func release() {
        descriptor.withLock { descriptor in
            // Unlock explicitly: a forked child holds the descriptor, and with it the lock, until it calls exec.
            guard descriptor >= 0 else { return }
            flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }
}
