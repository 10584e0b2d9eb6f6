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
            let due = context.origins.publications
            var claimed: [ClaimedPublication] = []
            var next: [(function: Int64, due: Int64)] = []
            while claimed.count < limit, let id = due.take(by: context.now.milliseconds) {
                guard let function = try context.file.function(id), case .topic(let topic) = function.definition.target else { continue }
                let found = try context.claim(of: function, "", limit: limit - claimed.count, at: context.now, lease: Self.lease)
                for delivery in found {
                    guard let run = try context.file.run(number: delivery.id) else { throw FunctionStoreError.damaged }
                    claimed.append(ClaimedPublication(delivery: delivery, run: run, app: function.app, topic: topic))
                }
                if let time = try context.file.nextDue(of: id) { next.append((id, time)) }
            }
            for (function, time) in next { due.add(function, due: time) }
            due.announced = due.next ?? .max
            return (claimed, due.next.map { Timestamp(milliseconds: $0) })
        }
    }
}
