import Foundation
import TestSupport
import Testing

/// A daemon, or what stands in its place, that means the terminal ill.
struct HostileDaemonTests {
    /// Red, another title, an answer that the terminal would type, and the same in one character.
    private static let attack = #"\u001b[31m\u001b]0;owned\u0007\u001b[6n\u009b31m"#

    private static func server(_ status: String, _ json: String) throws -> SilentServer {
        try SilentServer(
            saying: "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n\(json)")
    }

    private static func isHarmless(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control && !"\n\r\t".unicodeScalars.contains($0) }
    }

    @Test(arguments: [["check"], ["query", "top", "--field", "name"], ["info"], ["login"], ["send", "--topic", "a", "--title", "b"]])
    func `what it refuses with cannot steer the terminal`(arguments: [String]) async throws {
        let server = try Self.server("422 Unprocessable", #"{"detail": "no\#(Self.attack)", "hint": "\#(Self.attack)"}"#)
        let ended = try await ProgramUnderTest.dashboard.run(
            arguments, environment: ["SIGNALBOX_URL": server.url, "SIGNALBOX_KEY": "sb_k", "HOME": TemporaryFolder().path], input: "sb_k\n")
        #expect(ended.code != 0 && Self.isHarmless(ended.complaint), "\(ended)")
    }

    @Test func `what it says is printed to a terminal without what would steer it`() async throws {
        let folder = TemporaryFolder()
        let server = try Self.server("200 OK", #"{"name": "shop\#(Self.attack)", "role": "read"}"#)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let key = folder.path + "/key"
        try "sb_k\n".write(toFile: key, atomically: true, encoding: .utf8)
        let program = try terminal.start(
            .dashboard, ["login", "--url", server.url, "--key-file", key], ["XDG_CONFIG_HOME": folder.path, "TERM": "xterm", "LANG": "C.UTF-8"])
        let shown = terminal.read(until: "profile")
        #expect(shown.contains("shop?[31m") && Self.isHarmless(shown), "\(shown)")
        #expect(await program.exitCode() == 0)
    }
}
