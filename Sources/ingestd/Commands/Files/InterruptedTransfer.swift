// SPDX-License-Identifier: Apache-2.0

import Platform

/// The end of an export or import that goes on when its command is run again.
enum InterruptedTransfer {
    /// Returns the error of the command. A refusal before the transfer began is none of an interruption, such as that of an unknown app.
    static func error(_ error: any Error, of transfer: String, hasBegun: Bool, hint: String) -> any Error {
        // The command is carried out without a daemon then.
        if error is ControlSocket.NoDaemonError { return error }
        if !hasBegun, error is Failure { return error }
        let failure = Failure(error)
        return Failure("The \(transfer) was interrupted: \(failure.what)", hint: [hint, failure.hint].compactMap(\.self).joined(separator: " "))
    }
}
