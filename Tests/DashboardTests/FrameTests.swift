// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct FrameTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    @Test(arguments: [Size(30, 6), Size(40, 10), Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)])
    func `the overview matches its golden frame at each size`(size: Size) throws {
        try GoldenFrame.check(DashboardView(try .sample(size, answers: SampleOverview.all)).frame(), "overview-\(size.width)x\(size.height)")
    }

    @Test func `the overview without results matches its golden frame`() throws {
        try GoldenFrame.check(DashboardView(try .sample(Size(80, 24), answers: [:])).frame(), "overview-asking")
    }

    @Test(arguments: sizes) func `the overview without data matches its golden frame at each size`(size: Size) throws {
        let frame = DashboardView(try .sample(size, answers: SampleOverview.empty)).frame()
        try GoldenFrame.check(frame, "overview-empty-\(size.width)x\(size.height)")
    }

    @Test func `during an outage the overview keeps showing the last results`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        let later = SampleResponses.now + .seconds(2)
        let queries = dashboard.handle(.tick(later))
        let error = RequestError(kind: .unreachable, what: "No daemon responds at 127.0.0.1:8787", hint: "Check the daemon and the address.")
        for case .send(let query) in queries { _ = dashboard.handle(.received(query.request, .failure(error), later)) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "overview-outage")
    }

    @Test(arguments: sizes) func `a failed query shows its error in its own part`(size: Size) throws {
        var dashboard = Dashboard(host: "127.0.0.1:8787", size: size, now: SampleResponses.now)
        for case .send(let query) in dashboard.handle(.started(SampleResponses.now)) {
            let kind: RequestError.Kind = query.name == "quarantine" ? .unknown : .busy
            let error = RequestError(kind: kind, what: "Too much is asked at once", hint: "Come back later.")
            _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "overview-refused-\(size.width)x\(size.height)")
    }

    @Test func `the help matches its golden frame`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24))
        _ = dashboard.handle(.screen(.key(.character("?"))))
        try GoldenFrame.check(DashboardView(dashboard).frame(), "overview-help")
    }

    @Test func `no size and no result overflows a frame`() throws {
        var dashboards = try [SampleOverview.empty, SampleOverview.all].map { try Dashboard.sample(Size(80, 24), answers: $0) }
        for width in 0...130 {
            for height in [0, 1, 2, 5, 6, 7, 9, 13, 20, 33] {
                _ = dashboards[width % 2].handle(.screen(.resized(Size(width, height))))
                let lines = DashboardView(dashboards[width % 2]).frame().lines
                #expect(lines.count == height && lines.allSatisfy { $0.width <= width })
            }
        }
    }

    @Test func `every colour has enough contrast on dark and light backgrounds`() {
        for color in [Theme.blue, Theme.teal, Theme.green, Theme.amber, Theme.red, Theme.violet, Theme.gray] {
            let luminance = color.luminance ?? 0
            #expect(1.05 / (luminance + 0.05) > 4.3 && (luminance + 0.05) / 0.05 > 4.3, "\(color)")
        }
    }
}
