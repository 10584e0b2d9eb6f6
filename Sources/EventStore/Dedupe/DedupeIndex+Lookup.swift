// SPDX-License-Identifier: Apache-2.0

import Platform

extension DedupeIndex {
    func contains(_ key: UInt64) throws(FileError) -> Bool {
        if recent.contains(key) { return true }
        return try isSealed(key)
    }

    /// Returns whether a key of a day is known. Keys of other days are found while they are in memory.
    func contains(_ key: UInt64, of day: Day) throws(FileError) -> Bool {
        if isInMemory(key) { return true }
        return try isSealed(key, on: day)
    }

    /// Returns whether a key is in the frozen set or in a run.
    func isOlder(_ key: UInt64, _ prefetched: Prefetched?, of day: Day?) throws(FileError) -> Bool {
        guard let day else { return try isSealed(key, prefetched) }
        if isFrozen(key) { return true }
        return try isSealed(key, on: day)
    }

    func isInMemory(_ key: UInt64) -> Bool { recent.contains(key) || isFrozen(key) }

    private func isFrozen(_ key: UInt64) -> Bool { sealing?.contains(key) ?? false }

    /// Returns whether the runs of a day have a key.
    func isSealed(_ key: UInt64, on day: Day) throws(FileError) -> Bool {
        for run in runs[day] ?? [] where try run.contains(key) { return true }
        return false
    }

    func isSealed(_ key: UInt64, _ prefetched: Prefetched? = nil) throws(FileError) -> Bool {
        if isFrozen(key) { return true }
        if let prefetched, prefetched.generation == generation, !prefetched.known.contains(key) { return false }
        for runs in runs.values {
            for run in runs where try run.contains(key) { return true }
        }
        return false
    }
}
