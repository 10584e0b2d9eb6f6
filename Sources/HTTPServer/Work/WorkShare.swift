// SPDX-License-Identifier: Apache-2.0

/// The account and client of a job: the API key's number (0 while unknown) and the client's address.
package struct WorkShare: Sendable, Hashable {
    package let account: Int64
    package let client: ClientAddress

    /// IPv6 clients count by their /64 network.
    package init(account: Int64, client: ClientAddress) {
        self.account = account
        self.client = client.subscriber
    }
}
