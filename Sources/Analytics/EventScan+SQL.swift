// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform

extension QueryContext {
    /// Scans files in parallel. Returns one state per file, in the order of the days.
    func scan<State: Sendable>(
        _ scan: EventScan, into start: State, _ body: @escaping @Sendable (inout State, EventBatch) throws -> Void
    ) throws -> [State] {
        let request = try request(scan)
        return try session.each(of: days(of: scan)) { file, day in try read(request, file, handling(day, scan), into: start, body) }
    }

    /// Scans files in parallel and joins their states, each as soon as it is there, in no particular order.
    func scan<State: Sendable>(
        _ scan: EventScan, into start: State, _ body: @escaping @Sendable (inout State, EventBatch) throws -> Void,
        joining join: @escaping @Sendable (inout State, State) throws -> Void
    ) throws -> State {
        let request = try request(scan)
        return try session.fold(
            of: days(of: scan), into: start, { file, day in try read(request, file, handling(day, scan), into: start, body) }, joining: join)
    }

    private func days(of scan: EventScan) throws -> [Day] {
        try days(from: scan.from, to: scan.to).filter { scan.days?.contains($0) != false }
    }

    private func handling(_ day: Day, _ scan: EventScan) throws -> WithdrawnHandling {
        scan.includesWithdrawn ? .included : .leftOut(try snapshot.withdrawn(of: day, session))
    }

    private func read<State>(
        _ request: EventRequest, _ file: DayDB, _ withdrawn: WithdrawnHandling, into start: State, _ body: (inout State, EventBatch) throws -> Void
    ) throws -> State {
        var state = start
        try file.source(request, withdrawn: withdrawn).eachBatch { try body(&state, $0) }
        return state
    }

    private func request(_ scan: EventScan) throws -> EventRequest {
        var request = EventRequest(app, scan.columns, where: EventCondition.times(scan.from, scan.to))
        if let names = scan.names { request.conditions.append(.names(keys(names))) }
        if scan.onlySales { request.conditions.append(.isSale) }
        request.filters = scan.filters
        request.field = scan.field
        request.number = scan.number
        request.tests = scan.tests.map { .init(names: $0.names.map(keys), filters: $0.filters) }
        if !scan.properties.isEmpty || !scan.cohorts.isEmpty {
            let values = try PeopleValues(self, scan)
            request.property = values.value
            if !scan.cohorts.isEmpty { request.isMember = try CohortMembers(self, scan.cohorts, values).contain }
        }
        return request
    }

    private func keys(_ names: [String]) -> [UInt64] { names.map { key(.name, $0) } }
}
