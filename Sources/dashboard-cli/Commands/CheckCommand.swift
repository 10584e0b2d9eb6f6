// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// `check`: compares values with limits, and reports violations by the exit code.
enum CheckCommand {
    private static let strict = Option("--strict", .none, "Treats a limit without data as violated.")
    private static let quiet = Option("--quiet", .none, "Prints only violated limits.")
    private static let since = Option("--since", .text("SPAN"), "The time range, such as 15m, 24h or 7d; default: 24h.")

    static let command = Command(
        "check", "Checks values against limits, for cron and supervisors.",
        options: Check.all.map(\.option) + [since, strict, quiet, .controlSocket, .json] + Option.connection,
        details: """
            Prints a line for each limit. Exit code 5 means that a limit is violated. A limit without data, such as crash-free users \
            without sessions, passes unless --strict is set.

            Free disk and commit time are figures of the machine. A key of an app does not show them; the control socket does, which \
            only the daemon's user and root may open. A crontab:
              */10 * * * * dashboard-cli check --quiet --crash-free-min 99.5 --events-min 1 --since 24h --ready
            """
    ) { arguments in
        let limits = try limits(arguments)
        let range = try arguments.since() ?? .day
        let control = try controlClient(arguments, for: limits.map { $0.0 })
        let figures = CheckMeasurements(DaemonClient(try Profiles.chosen(arguments)), control: control, range)
        var verdicts: [CheckResult] = []
        for (check, limit) in limits { verdicts.append(CheckResult(check: check, limit: limit, value: try await check.measure(figures))) }
        let broken = verdicts.filter { $0.isBroken(strict: arguments.has(strict)) }
        if arguments.has(.json) {
            try Console.put(json(verdicts, range, arguments.has(strict)) + [0x0a])
        } else {
            let shown = arguments.has(quiet) ? broken : verdicts
            if !shown.isEmpty { try Console.print(TextTable.lines(shown.map { $0.row(strict: arguments.has(strict)) })) }
        }
        guard broken.isEmpty else {
            throw Failure(
                "\(broken.count) of \(verdicts.count) limits violated.", hint: nil, exitCode: ExitCode.breached)
        }
    }

    private static func limits(_ arguments: Arguments) throws(UsageError) -> [(Check, Double)] {
        var limits: [(Check, Double)] = []
        for check in Check.all {
            if let limit = try check.limit(arguments) { limits.append((check, limit)) }
        }
        guard !limits.isEmpty else { throw UsageError(what: "`dashboard-cli check` needs a limit.", hint: "See `dashboard-cli check --help`.") }
        return limits
    }

    /// Returns the client of the control socket. Throws if a limit needs it and it is not named.
    private static func controlClient(_ arguments: Arguments, for checks: [Check]) throws(Failure) -> DaemonClient? {
        if let path = arguments.one(Option.controlSocket.name) ?? ProcessEnvironment.variables["SIGNALBOX_CONTROL_SOCKET"].nonEmpty {
            return DaemonClient(controlSocket: path)
        }
        guard let check = checks.first(where: \.isOfMachine) else { return nil }
        throw Failure(
            "\(check.option.name) is a figure of the machine, which a key of an app does not show.",
            hint: "Name the control socket (--control-socket DIR/control.sock) as the daemon's user, or use `ingestd status` or /metrics.",
            exitCode: ExitCode.denied)
    }

    private static func json(_ verdicts: [CheckResult], _ range: ViewRange, _ isStrict: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("ok", !verdicts.contains { $0.isBroken(strict: isStrict) })
        json.field("since", range.text)
        json.key("checks")
        json.beginArray()
        for verdict in verdicts { verdict.write(to: &json, strict: isStrict) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

/// The result of one check.
private struct CheckResult {
    let check: Check
    let limit: Double
    let value: Double?

    func isBroken(strict: Bool) -> Bool {
        value.map { !check.side.holds($0, limit) } ?? strict
    }

    private var bound: String { check.unit == .yes ? "" : "\(check.side == .atLeast ? "at least" : "at most") \(check.unit.text(limit))" }

    func row(strict: Bool) -> [String] {
        let word = isBroken(strict: strict) ? "failed" : "ok"
        return [word, check.name, value.map(check.unit.text) ?? "no data", bound]
    }

    func write(to json: inout JSONWriter, strict: Bool) {
        json.beginObject()
        json.field("check", String(check.option.name.dropFirst(2)))
        json.key("value")
        if let value { json.real(value) } else { json.null() }
        json.key("limit")
        json.real(limit)
        json.field("state", isBroken(strict: strict) ? "failed" : value == nil ? "nothing to judge" : "ok")
        json.endObject()
    }
}
