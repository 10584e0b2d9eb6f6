// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The declared lengths of uploads of one request, in memory until they end. Those of resumable uploads are in `usage`.
final class FileReservations: Sendable {
    private let taken = Mutex<[FileAccount: Int64]>([:])

    func bytes(of account: FileAccount) -> Int64 { taken.withLock { $0[account] ?? 0 } }

    /// Reserves bytes unless an account has fewer left.
    ///
    /// - Parameter left: The accounts with the bytes that they have left without reservations.
    func take(_ bytes: Int64, _ left: [(account: FileAccount, bytes: Int64, fault: FileFault)]) throws(FileFault) -> FileReservation {
        let fault = taken.withLock { taken -> FileFault? in
            for part in left where (taken[part.account] ?? 0) + bytes > part.bytes { return part.fault }
            for part in left { taken[part.account, default: 0] += bytes }
            return nil
        }
        if let fault { throw fault }
        return FileReservation(bytes, left.map(\.account), self)
    }

    fileprivate func free(_ bytes: Int64, of accounts: [FileAccount]) {
        taken.withLock { taken in
            for account in accounts {
                let left = (taken[account] ?? 0) - bytes
                taken[account] = left == 0 ? nil : left
            }
        }
    }
}

/// Bytes that are reserved for as long as this object lives.
final class FileReservation: Sendable {
    private let bytes: Int64
    private let accounts: [FileAccount]
    private let reservations: FileReservations

    fileprivate init(_ bytes: Int64, _ accounts: [FileAccount], _ reservations: FileReservations) {
        (self.bytes, self.accounts, self.reservations) = (bytes, accounts, reservations)
    }

    deinit { reservations.free(bytes, of: accounts) }
}
