// SPDX-License-Identifier: Apache-2.0

package import Database

extension StorePaths {
    package var messages: String { root + "/" + MessageStore.fileName }
}

extension ReadSession {
    package func withMessages<T>(_ body: (MessageDB) throws -> T) throws -> T { try withSnapshot(paths.messages, body) }
}
