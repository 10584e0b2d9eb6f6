// SPDX-License-Identifier: Apache-2.0

package import Events

/// The work of an app's functions.
package struct FunctionStatisticsResponse: Codable, Sendable {
    package struct Function: Codable, Sendable {
        package var name: String
        /// Where calls and runs go, without the path: `https://api.example`, `topic orders`, `worker`.
        package var target: String
        /// Such as `event purchase`, `schedule 0 9 * * 1-5 Europe/Berlin`.
        package var triggers: [String]
        /// Ended calls and attempts of runs in each of the last 60 minutes, oldest first.
        package var perMinute: [Int64]
        /// Those of them that failed.
        package var failures: Int64
        /// Quantiles of their durations in the last minutes; nil without any.
        package var medianMilliseconds: Double?
        package var slowMilliseconds: Double?
        package var callsUnderWay: Int
        package var callsWaiting: Int
        /// Calls are refused until then, because the target failed too often.
        package var brokenUntil: Moment?
        /// The number of runs by state.
        package var runs: Members<Int>

        package init(
            name: String, target: String, triggers: [String], perMinute: [Int64], failures: Int64, callsUnderWay: Int, callsWaiting: Int,
            runs: Members<Int>
        ) {
            (self.name, self.target, self.triggers, self.runs) = (name, target, triggers, runs)
            (self.perMinute, self.failures) = (perMinute, failures)
            (self.callsUnderWay, self.callsWaiting) = (callsUnderWay, callsWaiting)
        }
    }

    /// How far triggers are behind a source.
    package struct Source: Codable, Sendable {
        package var source: String
        package var lagSeconds: Double

        package init(source: String, lagSeconds: Double) { (self.source, self.lagSeconds) = (source, lagSeconds) }
    }

    /// In the order of their names.
    package var items: [Function]
    /// The sources of triggers.
    package var sources: [Source]
    package var next: String?

    package init(items: [Function], sources: [Source], next: String?) { (self.items, self.sources, self.next) = (items, sources, next) }
}
