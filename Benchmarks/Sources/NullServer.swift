// SPDX-License-Identifier: Apache-2.0

import HTTPServer

/// The second ceiling: the HTTP server reads the same requests and responds 200 without decoding them.
enum NullServer {
    static func run(_ options: Options) async throws {
        var configuration = HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: UInt16(options.port))])
        configuration.loops = options.loops
        let server = try HTTPServer(
            configuration: configuration,
            plan: { _ in
                .inline(bodyLimit: 5 << 20, decodedLimit: 5 << 20) { _, reply in
                    reply.send(HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array("{}".utf8)))
                }
            },
            problem: { fault, _ in HTTPResponse(status: fault.status) })
        print("listening")
        try await server.run()
    }
}
