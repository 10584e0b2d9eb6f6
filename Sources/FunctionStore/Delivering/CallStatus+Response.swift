// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON

extension CallStatus {
    /// The word of the error that a response states, which counts more than its HTTP status. Nil without one, and for a success.
    ///
    ///     400 {"error": {"status": "INVALID_ARGUMENT"}}   →   INVALID_ARGUMENT
    ///     503 Service Unavailable                         →   nil
    init?(statedBy response: [UInt8], http status: Int) {
        guard CallStatus(http: status) != .ok, let error = try? JSONValue(response)["error"],
            let word = error["status"]?.string.flatMap(CallStatus.init(rawValue:)), word != .ok
        else { return nil }
        self = word
    }
}
