// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform

extension CallStatus {
    /// The word of the error that a response states, which counts more than its HTTP status. Nil if the status counts.
    ///
    ///     400 {"error": {"status": "INVALID_ARGUMENT"}}   →   INVALID_ARGUMENT
    ///     200 {"error": {"status": "NOT_FOUND"}}          →   NOT_FOUND
    ///     200 {"error": {"status": "WEIRD"}}              →   INTERNAL, as for a call
    ///     404 {"error": {"status": "WEIRD"}}              →   nil
    ///     503 Service Unavailable                         →   nil
    ///
    /// A response that was cut at `CallBody.maximumRunBytes` is no JSON, so that it states nothing.
    init?(statedBy response: [UInt8], http status: Int) {
        guard let error = try? JSONValue(response, limits: CallBody.limits)["error"], error.json.first == UInt8(ascii: "{") else { return nil }
        if let word = error["status"]?.string.flatMap(CallStatus.init(rawValue:)), word != .ok {
            self = word
        } else if CallStatus(http: status) == .ok {
            self = .internal
        } else {
            return nil
        }
    }
}
