// SPDX-License-Identifier: Apache-2.0

/// The account and the client that a piece of work is done for: the API key's number, 0 while it is unknown, and the client's address.
package struct WorkShare: Sendable, Hashable {
    package let account: Int64
    package let client: ClientAddress

    /// IPv6 clients count by their /64, like everywhere.
    package init(account: Int64, client: ClientAddress) {
        self.account = account
        self.client = client.subscriber
    }
}
