// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Glibc

/// SQLite's own memory, with a look at the thread's confinement before more of it is given.
///
/// Nobody is asked whether it goes on while a statement is prepared, and a few tables that are each named twice in the next become so
/// many copies that neither time nor memory suffices. Every copy needs memory: without it SQLite gives up.
enum ConfinedMemory {
    /// Has to be read before anything else is asked of SQLite.
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

    /// Nothing but addresses of functions, which stay.
    private struct Own: @unchecked Sendable {
        var methods = sqlite3_mem_methods()

        init() {
            signalbox_memory(&methods)
        }
    }

    private static let own = Own()

    /// Where each thread has its confinement.
    fileprivate static let place: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "a thread has no place for a confinement")
        return key
    }()
}

extension Confinement {
    fileprivate static var ofThread: Confinement? {
        pthread_getspecific(ConfinedMemory.place).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    func watchThread() {
        pthread_setspecific(ConfinedMemory.place, Unmanaged.passUnretained(self).toOpaque())
    }

    func leaveThread() {
        pthread_setspecific(ConfinedMemory.place, nil)
    }
}
