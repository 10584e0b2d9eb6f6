// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform
import Terminal

/// Runs a query once or repeatedly.
struct QuerySession: Sendable {
    private let client: DaemonClient
    private let query: CommandQuery
    private let format: Format
    private let environment = ProcessEnvironment.variables

    init(_ client: DaemonClient, _ query: CommandQuery, _ format: Format) {
        self.client = client
        self.query = query
        self.format = format
    }

    private func result() async throws -> JSONValue {
        let body =
            switch query.request {
            case .get(let request): try await client.get(request)
            case .post(let path, let json): try await client.post(path, json: json)
            }
        do {
            return try JSONValue(body)
        } catch {
            throw Failure("The response of \(client.host) is not JSON.", hint: "Is the address that of a Signalbox daemon?")
        }
    }

    func printOnce() async throws {
        try print(try await result())
    }

    private func print(_ result: JSONValue) throws {
        switch format {
        case .json: try Console.put(result.json + [0x0a])
        case .csv: try Console.put(Array(Sheet(result).csv.utf8))
        case .plain: try Console.print(PlainResult.plain(result))
        case .drawn:
            let depth = ColorDepth(environment)
            let frame = ResultFrame(result, hint: query.hint, depth: depth).frame(width: TerminalStream.size()?.width ?? 80)
            try Console.write(frame.printed(depth, Alphabet(environment)))
        }
    }

    /// Repaints on a terminal, otherwise prints one result after the other.
    func watch(every seconds: Int64) async throws {
        if format == .drawn, TerminalStream.isInteractive, environment["TERM"] != "dumb" { return try await watchOnScreen(every: seconds) }
        try await UntilInterrupted.run {
            while true {
                try await printOnce()
                try await Task.sleep(for: .seconds(seconds))
                if format == .plain || format == .drawn { try Console.print("") }
            }
        }
    }

    private enum ScreenUpdate: Sendable {
        case result(Result<JSONValue, Failure>)
        case screen(ScreenEvent)
    }

    private func watchOnScreen(every seconds: Int64) async throws {
        let screen = try Screen()
        defer { screen.close() }
        let depth = ColorDepth(environment)
        var painter = Painter(depth, Alphabet(environment))
        var (size, newest) = (screen.size, Result<JSONValue, Failure>?.none)
        let (happenings, happened) = AsyncStream<ScreenUpdate>.makeStream(bufferingPolicy: .bufferingNewest(256))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await event in screen.events { happened.yield(.screen(event)) } }
            group.addTask { try await pollUntilCancelled(every: seconds, happened) }
            for await happening in happenings {
                switch happening {
                case .result(let result): newest = result
                case .screen(.ended), .screen(.key(.character("q"))), .screen(.key(.control("c"))): return
                case .screen(.key(.control("z"))): screen.suspend()
                case .screen(.resized(let now)):
                    size = now
                    painter.forget()
                case .screen(.key): break
                }
                guard screen.isTaken else { continue }
                try Console.write(painter.paint(frame(newest, size, depth)))
            }
        }
    }

    private func pollUntilCancelled(every seconds: Int64, _ happened: AsyncStream<ScreenUpdate>.Continuation) async throws {
        while true {
            do {
                happened.yield(.result(.success(try await result())))
            } catch {
                happened.yield(.result(.failure(Failure(error))))
            }
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    /// The part of the result that fits the screen.
    private func frame(_ result: Result<JSONValue, Failure>?, _ size: Size, _ depth: ColorDepth) -> Frame {
        var frame = Frame(size)
        let (body, foot) = frame.bounds.split(rows: size.height - 1)
        switch result {
        case nil: frame.text("…", in: body, Theme.faint)
        case .failure(let failure): frame.paragraph(failure.line, in: body, Theme.bad)
        case .success(let result): frame.put(ResultFrame(result, hint: query.hint, depth: depth).frame(width: size.width), in: body)
        }
        frame.text("\(query.name)  q quit", in: foot, Theme.faint)
        return frame
    }
}
