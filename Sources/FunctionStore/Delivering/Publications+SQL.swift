// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
package import Messaging
package import Platform

/// A claimed run of a function whose target is a topic.
package struct ClaimedPublication: Sendable {
    package let delivery: ClaimedDelivery
    package let run: StoredRun
    package let app: AppID
    package let topic: String
}

extension FunctionStore {
    private static let lease = Timestamp.Span.minutes(2)

    /// Claims due runs that are to be published on topics. Returns them with the time of the next ones; nil if none are known.
    package func claimPublications(atMost limit: Int) async throws -> (claimed: [ClaimedPublication], nextDue: Timestamp?) {
        try await change { context in
            let request = ClaimRequest(limit: limit, limitPerOrigin: limit, leaseEnds: context.now + Self.lease, now: context.now)
            var claimed: [ClaimedPublication] = []
            let found = try context.origins.publications.claim(request) { id, limit in
                guard let function = try context.file.function(id), case .topic(let topic) = function.definition.target else { return ([], nil) }
                let deliveries = try context.claim(of: function, "", limit: limit, at: context.now, lease: Self.lease)
                for delivery in deliveries {
                    guard let run = try context.file.run(number: delivery.id) else { throw FunctionStoreError.damaged }
                    claimed.append(ClaimedPublication(delivery: delivery, run: run, app: function.app, topic: topic))
                }
                return (deliveries, try context.file.nextDue(of: id))
            }
            return (claimed, found.nextDue)
        }
    }
}
