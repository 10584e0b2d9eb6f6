// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON

extension CallStatus {
    /// The outcome that a response states: the word of its error, or else its HTTP status.
    ///
    ///     400 {"error": {"status": "INVALID_ARGUMENT"}}   →   INVALID_ARGUMENT
    ///     503                                             →   UNAVAILABLE
    init(of response: [UInt8], http status: Int) {
        let byStatus = CallStatus(http: status)
        guard byStatus != .ok, let error = try? JSONValue(response)["error"], let word = error["status"]?.string.flatMap(CallStatus.init(rawValue:)),
            word != .ok
        else {
            self = byStatus
            return
        }
        self = word
    }
}
