// SPDX-License-Identifier: Apache-2.0

package import Database

extension StorePaths {
    package var crashes: String { root + "/" + CrashStore.fileName }
    package var symbols: String { root + "/symbols" }
}

extension ReadSession {
    package func withCrashes<T>(_ body: (CrashDB) throws -> T) throws -> T { try withSnapshot(paths.crashes, body) }
}
