// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@testable import Symbols

/// Children that try what a hostile symbol file could make a reader do. Without confinement each attempt succeeds, so that none is denied by chance.
@Suite(.enabled(if: ProcessConfinement.supported == .all, "this kernel cannot confine processes"))
struct ConfinementTests {
    /// Does what each line says and prints `done`, or the reason why it failed.
    private static let script = #"""
        use Socket;
        $| = 1;
        my $own = sub { my $child = fork; exit 0 if defined $child && $child == 0; defined $child && waitpid($child, 0) };
        my %attempts = (
            read => sub { open(my $file, "<", $_[0]) or return 0; defined(readline $file) },
            list => sub { opendir(my $folder, $_[0]) },
            write => sub { open(my $file, ">>", $_[0]) },
            create => sub { open(my $file, ">", $_[0]) },
            remove => sub { unlink $_[0] },
            link => sub { link $_[0], "$_[0].link" },
            rename => sub { rename $_[0], "$_[0].moved" },
            mode => sub { chmod 0777, $_[0] },
            folder => sub { mkdir $_[0] },
            network => sub { socket(my $socket, AF_INET, SOCK_STREAM, 0) },
            network6 => sub { socket(my $socket, AF_INET6, SOCK_DGRAM, 0) },
            local => sub { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) },
            fork => $own,
            execute => sub { my $child = open(my $out, "-|", $_[0]); defined $child },
            signal => sub { kill 0, $_[0] },
            priority => sub { setpriority(0, $_[0], 19); $! == 0 },
        );
        while (my $line = <STDIN>) {
            chomp $line;
            my ($attempt, $subject) = split / /, $line, 2;
            $! = 0;
            print $attempts{$attempt}->($subject) ? "done" : "denied", "\n";
        }
        """#

    private let data = TemporaryFolder()

    init() throws {
        for app in ["1", "2"] {
            try Folder.make(data.path + "/" + app)
            try File(data.path + "/\(app)/file", .new).write(Array("line\n".utf8))
        }
        try File(data.path + "/1/attempts", .new).write(Array(ConfinementTests.script.utf8))
    }

    private func child(launcher: String?) -> LineProgram {
        let command = ReaderCommand("/usr/bin/perl", [data.path + "/1/attempts"], launcher: launcher).reading([data.path + "/1"])
        return LineProgram(command, in: data.path, probe: "read 1/file")
    }

    /// The results of attempts in a confined child and in one without restrictions.
    private func results(_ attempts: [String]) throws -> (confined: [String?], free: [String?]) {
        func results(_ launcher: String?) throws -> [String?] {
            // A child each, as attempts change files.
            try attempts.map { attempt in
                try child(launcher: launcher).ask([Array(attempt.utf8)])[0].map { String(decoding: $0, as: UTF8.self) }
            }
        }
        return (try results(ProgramUnderTest.ingestd.path), try results(nil))
    }

    @Test func `a child reads its own folder and the libraries`() throws {
        let own = ["read 1/file", "list 1", "read \(data.path)/1/file", "list /usr/lib"]
        #expect(try results(own).confined == own.map { _ in "done" })
    }

    @Test func `a child reads nothing of another app, of the data folder and of the system`() throws {
        try File(data.path + "/main.db", .new).write(Array("line\n".utf8))
        let foreign = [
            "read 2/file", "read 1/../2/file", "list 2", "list .", "read main.db", "read /etc/passwd", "list /etc", "list /proc", "list /",
        ]
        let (confined, free) = try results(foreign)
        #expect(confined == foreign.map { _ in "denied" } && free == foreign.map { _ in "done" })
    }

    @Test func `a child follows no link out of its folder`() throws {
        #expect(symlink("../2/file", data.path + "/1/link") == 0)
        let (confined, free) = try results(["read 1/link"])
        #expect(confined == ["denied"] && free == ["done"])
    }

    @Test func `a child changes no file, not even in its folder`() throws {
        let changes = ["write 1/file", "create 1/new", "link 1/file", "mode 1/file", "folder 1/folder", "rename 1/file", "remove 1/file.moved"]
        let (confined, free) = try results(changes)
        #expect(confined == changes.map { _ in "denied" } && free == changes.map { _ in "done" })
    }

    @Test func `a child opens no socket and reaches no process`() throws {
        let calls = ["network", "network6", "local", "fork", "signal \(getpid())", "priority 0", "execute /bin/true"]
        let (confined, free) = try results(calls)
        #expect(confined == calls.map { _ in "denied" } && free == calls.map { _ in "done" })
    }

    @Test func `a program that is not the reader is not executed`() throws {
        let command = ReaderCommand("/bin/sh", ["-c", "while read line; do echo done; exec /bin/cat; done"], launcher: ProgramUnderTest.ingestd.path)
        let program = LineProgram(command.reading([data.path]), in: data.path, probe: "", limits: .init(maxFailures: 0))
        // The shell answers the first line, and then ends because it cannot become another program.
        #expect(try program.ask([[0x61], [0x62]]) == [Array("done".utf8), nil])
    }

    @Test func `ingestd's own readers read their folder only`() throws {
        let map = #"{"version": 3, "sources": ["a.ts"], "names": [], "mappings": "AAAA"}"#
        for app in ["1", "2"] { try File(data.path + "/\(app)/map", .new).write(Array(map.utf8)) }
        let program = LineProgram(ReaderCommand.confined("resolve").reading([data.path + "/1"]), in: data.path, probe: "{}")
        let lines = ["1", "2"].map { MappedQuestion.script(map: "\($0)/map", code: nil, line: 1, column: 1, function: nil).json }
        let answers = try program.ask(lines).map { MappedAnswer($0 ?? []) }
        #expect(answers.map(\.frames.first?.file) == ["a.ts", nil] && answers[1].damage != nil)
    }

    @Test func `a confined reader starts no thread, and none fails of many`() throws {
        for _ in 0..<40 {
            let program = LineProgram(.confined("demangle"), in: data.path, probe: "", limits: .init(maxFailures: 0))
            #expect(try program.ask([Array("_ZN4Shop8checkoutEv".utf8)]) == [Array("Shop::checkout()".utf8)])
            let process = try #require(program.process)
            #expect(try Folder.names(in: "/proc/\(process)/task").count == 1)
        }
    }

    @Test(arguments: ["demangle", "resolve", "read-minidump"])
    func `all threads of ingestd's own readers are confined`(reader: String) throws {
        let program = LineProgram(.confined(reader), in: data.path, probe: "")
        _ = try program.ask([[]])
        let process = try #require(program.process)
        let threads = try Folder.names(in: "/proc/\(process)/task")
        #expect(!threads.isEmpty)
        for thread in threads {
            let status = String(decoding: try SmallFile.read("/proc/\(process)/task/\(thread)/status", limit: 1 << 16), as: UTF8.self)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
        }
    }

    @Test func `a program that is missing or fails is named`() throws {
        let missing = LineProgram(ReaderCommand("/nowhere", launcher: ProgramUnderTest.ingestd.path), in: "/", probe: "")
        #expect(throws: ProgramError.notStarted("/nowhere", ENOENT)) { try missing.ask([[1]]) }
        let dead = LineProgram(ReaderCommand("/bin/false", launcher: ProgramUnderTest.ingestd.path), in: "/", probe: "")
        #expect(throws: ProgramError.ends("/bin/false")) { try dead.ask([[1]]) }
    }
}

extension ReaderCommand {
    /// A reader of ingestd, as the daemon starts it.
    static func confined(_ reader: String) -> ReaderCommand {
        ReaderCommand(ProgramUnderTest.ingestd.path, [reader], launcher: ProgramUnderTest.ingestd.path)
    }
}
