// SPDX-License-Identifier: Apache-2.0

import JSON

/// Something that changes what a daemon does; it is done once somebody has said yes to it.
struct PendingAction: Sendable {
    /// What that somebody is asked.
    let confirmation: String
    /// What is sent to the daemon: an empty body where there is nothing to say.
    var method = "POST"
    let path: String
    var body: [UInt8] = []
    /// What has become of it, in a sentence, as the answer tells.
    let outcome: @Sendable (JSONValue) -> String
}
