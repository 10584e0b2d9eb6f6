// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport

/// A query as a client sends it.
struct Question: Sendable, CustomStringConvertible {
    var name: QueryName
    var parameters: [(name: String, value: String)]
    var cohorts: [String: [(name: String, value: String)]]

    var description: String {
        "\(name.rawValue)?" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&") + " with \(cohorts)"
    }

    func query(now: Timestamp) throws -> Query {
        var known = QueryParameters(parameters, settings: AppSettings(), now: now)
        known.cohorts = try cohorts.mapValues { try Cohort(QueryParameters($0, settings: AppSettings(), now: now)) }
        return try Query(name, known)
    }

    /// Returns all kinds of queries, some several times.
    static func some(about log: Log) -> [Question] {
        var maker = QuestionMaker(random: SeededGenerator(log.seed &+ 1 << 32), log: log)
        let names = QueryName.allCases + [.series, .series, .series, .top, .retention, .funnel, .funnel, .funnel, .sessions]
        let cohorts = ["x": maker.cohort(), "y": maker.cohort()]
        return names.map { Question(name: $0, parameters: maker.parameters($0), cohorts: cohorts) }
    }
}

/// Generates random parameters of queries.
private struct QuestionMaker {
    var random: SeededGenerator
    let log: Log

    private static let zones = ["UTC", "Africa/Cairo", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"]
    private static let events = [
        "screen_view", "purchase", "in_app_purchase", "refund", "first_open", "sign_up", "level_up", "session_start", "never",
    ]

    mutating func parameters(_ name: QueryName) -> [(name: String, value: String)] {
        switch name {
        case .series: series()
        case .top: top()
        case .activeUsers: range(days: 6)
        case .retention: retention()
        case .funnel: range(days: 4) + funnel()
        case .crashFree: buckets(pick(["hour", "day", "week"])) + filters() + (chance(0.5) ? [("limit", "2")] : [])
        case .revenue, .sessions: buckets(pick(["hour", "day", "week", "month"])) + filters()
        case .lifecycle: range(days: 6) + [("interval", pick(["day", "day", "week", "month"]))]
        case .realtime: chance(0.5) ? [("limit", "2")] : []
        }
    }

    private mutating func series() -> [(name: String, value: String)] {
        let range = buckets(pick(["minute", "hour", "day", "day", "week", "month"]))
        let breaksDown = chance(0.5)
        return range + counted(by: breaksDown ? "breakdown" : nil)
    }

    private mutating func top() -> [(name: String, value: String)] {
        range(days: 4) + (chance(0.4) ? [("interval", pick(["minute", "hour", "day", "week"]))] : []) + counted(by: "field")
    }

    private mutating func counted(by parameter: String?) -> [(name: String, value: String)] {
        let metric = chance(0.3) ? number() : pick(QueryMetric.counted)
        let isOfCrashes = metric == .crashes
        let event = !isOfCrashes && chance(0.4) ? [("event", pick(Self.events))] : []
        let filters = isOfCrashes ? (chance(0.5) ? [("filter", crashFilter())] : []) : filters()
        let broken = parameter.map { parameter in
            let fields =
                [.revenue, .quantity].contains(metric) && chance(0.4) ? ["items.item_id"] : fields(isOfCrashes, most: parameter == "field" ? 1 : 3)
            return fields.map { (parameter, $0) } + [("limit", pick(["1", "2", "10"]))]
        }
        return [("metric", metric.text)] + event + filters + (broken ?? [])
    }

    private mutating func number() -> QueryMetric {
        .number(NumberMetric(pick(NumberMetric.Function.allCases), of: pick(["n", "n", "value", "color", "never"])))
    }

    /// Up to three different fields.
    private mutating func fields(_ isOfCrashes: Bool, most: Int) -> [String] {
        let count = chance(0.6) ? 1 : Int.random(in: 1...most, using: &random)
        return (0..<count).reduce(into: []) { fields, _ in
            let field = isOfCrashes ? crashField() : field()
            if !fields.contains(field) { fields.append(field) }
        }
    }

    /// The parameters of a random cohort.
    mutating func cohort() -> [(name: String, value: String)] {
        let properties = chance(0.5) ? [("filter", pick(["user.tier", "user.age"]) + pick(["=free", "=pro|12", "!=free", ">=3", "~r"]))] : []
        if !properties.isEmpty, chance(0.4) { return properties }
        let conditions = chance(0.5) ? [("event_filter", plainFilter())] : []
        return properties + [("event", pick(Self.events))] + conditions + range(days: 4).filter { $0.name != "tz" }
    }

    private mutating func retention() -> [(name: String, value: String)] {
        let interval = pick(["day", "day", "week", "month"])
        return range(days: 5) + filters() + [
            ("interval", interval), ("start", pick(["first_open"] + Self.events)), ("return", pick(["any", "any"] + Self.events)),
            ("cohort", pick(["first_time", "recurring"])), ("periods", pick(["1", "2", "5"])),
        ]
    }

    private mutating func funnel() -> [(name: String, value: String)] {
        let some = Array(Self.events.shuffled(using: &random).prefix(2)) + ["screen_view"]
        let steps = (0..<Int.random(in: 2...4, using: &random)).map { _ in
            ("steps", FunnelQuery.Step.text([pick(some)] + (chance(0.3) ? [filter()] : [])))
        }
        let parts = chance(0.5) ? fields(false, most: 3).map { ("breakdown", $0) } + [("limit", pick(["1", "2", "10"]))] : []
        return steps + parts + [("order", pick(["ordered", "ordered", "strict"])), ("window", pick(["10s", "1m", "30m", "1h", "1d", "4d"]))]
    }

    // MARK: Times

    private mutating func buckets(_ interval: String) -> [(name: String, value: String)] {
        let days = interval == "minute" ? 0.1 : interval == "hour" ? 2.0 : 6
        return range(days: days) + [("interval", interval)]
    }

    /// A range near the log, in its zone or another.
    private mutating func range(days: Double) -> [(name: String, value: String)] {
        let zone = [("tz", chance(0.6) ? log.era.zone : pick(Self.zones))]
        if days > 4, chance(0.1) { return zone }
        let day = Double(Day.milliseconds)
        let length = Double.random(in: 0.01...1, using: &random) * days * day
        let middle = log.era.day.start.milliseconds + Int64(Double.random(in: -2..<5, using: &random) * day)
        let from = Timestamp(milliseconds: middle - Int64(length / 2))
        return zone + [("from", from.rfc3339), ("to", (from + .init(milliseconds: Int64(length))).rfc3339)]
    }

    // MARK: Metrics and filters

    private mutating func filters() -> [(name: String, value: String)] {
        chance(0.5) ? [] : (0..<Int.random(in: 1...2, using: &random)).map { _ in ("filter", filter()) }
    }

    private mutating func filter() -> String { chance(0.15) ? pick(["cohort=x", "cohort!=x", "cohort=x|y", "cohort!=y|x"]) : plainFilter() }

    private mutating func plainFilter() -> String {
        if chance(0.3) {
            return pick(["params.n", "params.value", "params.flag", "user.age", "context.app_version"]) + pick([">", ">=", "<", "<="])
                + pick(["3", "0", "-2|100", "1e1", "3.0", "1.10", "x", "007"])
        }
        return field() + pick(["=", "!=", "~"])
            + pick([
                "ios", "ios|android", "red", "red|12", "", "1.", "pro", "free", "true", "a\tb\n", "Caf\u{e9} \"1\"", "screen_view", "e", "y=z", "3.0",
                "3.0|12.50", "1e0", "0.70e1", "a\\|b", "C:\\d", "\\\\", "red\\|12|x",
                "\u{1f600}!", "{ }",
            ])
    }

    private mutating func crashFilter() -> String {
        crashField() + pick(["=ios|android", "!=ios", "~1", ">=2", "=", "!=2.0", "=17|Phone"])
    }

    private mutating func crashField() -> String {
        pick(["context.platform", "context.app_version", "context.os_version", "context.device_model"])
    }

    private mutating func field() -> String {
        pick([
            "name", "context.platform", "context.app_version", "context.country", "params.screen_name", "params.n", "params.color",
            "params.names;of=\"many\"\\",
            "params.deep", "params.never", "user.tier", "user.age",
        ])
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    private mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }
}
