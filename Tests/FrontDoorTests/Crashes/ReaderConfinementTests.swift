// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// A symbolizer that does what a hostile symbol file could make it do, as a child of a daemon.
@Suite(.enabled(if: ProcessConfinement.supported == .all, "this kernel cannot confine processes"))
struct ReaderConfinementTests {
    private static let build = SymbolFixture.elf
    private static let crash = #"""
        {"crashes": [{"id": "c", "type": "Boom", "frames": [{"instruction_addr": "0x2190", "image_addr": "0x1000", "in_app": true}],
          "images": [{"type": "elf", "debug_id": "\#(build.debugID)", "image_addr": "0x1000", "image_size": 65536}]}]}
        """#

    /// Answers with the attempts that succeed, in place of a function.
    private static let script = #"""
        #!/usr/bin/perl
        use Socket;
        $| = 1;
        my %attempts = (
            own => sub { my ($path) = $_[0] =~ /^([^:]*)/; open(my $file, "<", $path) or return 0; read($file, my $bytes, 4) == 4 },
            network => sub { socket(my $socket, AF_INET, SOCK_STREAM, 0) },
            control => sub { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or return 0; connect($socket, sockaddr_un("../control.sock")) },
            database => sub { open(my $file, "<", "../main.db") },
            system => sub { open(my $file, "<", "/etc/passwd") },
            write => sub { open(my $file, ">", "1/new") },
            execute => sub { my $child = open(my $out, "-|", "/bin/true"); defined $child },
            signal => sub { kill 0, getppid },
        );
        while (my $line = <STDIN>) {
            my $done = join "+", grep { $attempts{$_}->($line) } sort keys %attempts;
            print qq({"Symbol":[{"FunctionName":"$done","FileName":"a.c","Line":1}]}\n);
        }
        """#

    /// The attempts of a daemon's symbolizer that succeed.
    private static func attempts() async throws -> String {
        let (folder, beside) = (TemporaryFolder(), TemporaryFolder())
        let program = beside.path + "/hostile"
        try File(program, .create).write(Array(script.utf8))
        #expect(chmod(program, 0o700) == 0)
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_CRASHES_SYMBOLIZER": program])
        let keys = try await child.api.makeApp()
        #expect(try JSON(await child.api.get("/v1/system", key: keys.read))["confinement_failure"].text.isEmpty)
        #expect(try await child.api.request("PUT", "/v1/symbols/\(build.debugID)", key: keys.admin, body: build.bytes).status == 201)
        #expect(try Taken(await child.api.post("/v1/crashes", key: keys.ingest, crash)) == Taken(accepted: 1))
        let issue = try JSON(await child.api.get("/v1/issues", key: keys.read))["items"][0]["id"].text
        @Sendable func function() async throws -> String {
            try JSON(await child.api.get("/v1/issues/\(issue)/events/c", key: keys.read))["report"]["frames"][0]["function"].text
        }
        #expect(try await eventually { try await !function().isEmpty })
        let attempts = try await function()
        #expect(await child.stop() == 0)
        return attempts
    }

    @Test func `a daemon's symbolizer reads its app's file, and reaches nothing else`() async throws {
        #expect(try await Self.attempts() == "own")
    }
}
