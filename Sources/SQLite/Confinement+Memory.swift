// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Glibc

/// SQLite's allocator with a check of the thread's confinement before each allocation.
///
/// SQLite has no progress callback while it prepares a statement, and a chain of common table expressions that each use the previous one twice
/// doubles with each link. Every copy needs memory, so a failing allocation makes SQLite stop.
enum ConfinedMemory {
    /// Installs the allocator. It must be read before any other call of SQLite.
    static let isInPlace: Bool = {
        var methods = own.methods
        methods.xMalloc = { bytes in Confinement.ofThread?.mayTake(bytes) == false ? nil : own.methods.xMalloc(bytes) }
        methods.xRealloc = { old, bytes in
            Confinement.ofThread?.mayTake(bytes - own.methods.xSize(old)) == false ? nil : own.methods.xRealloc(old, bytes)
        }
        methods.xFree = { old in
            Confinement.ofThread?.gaveBack(own.methods.xSize(old))
            own.methods.xFree(old)
        }
        return signalbox_take_memory_from(&methods) == SQLITE_OK
    }()

    /// Function addresses, which are constant.
    private struct Own: @unchecked Sendable {
        var methods = sqlite3_mem_methods()

        init() {
            signalbox_memory(&methods)
        }
    }

    private static let own = Own()

    /// The key of each thread's confinement.
    fileprivate static let place: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "could not create a thread-specific key for the confinement")
        return key
    }()
}

extension Confinement {
    fileprivate static var ofThread: Confinement? {
        guard let place = pthread_getspecific(ConfinedMemory.place) else { return nil }
        return Unmanaged.fromOpaque(place).takeUnretainedValue()
    }

    func watchThread() {
        pthread_setspecific(ConfinedMemory.place, Unmanaged.passUnretained(self).toOpaque())
    }

    func leaveThread() {
        pthread_setspecific(ConfinedMemory.place, nil)
    }
}
