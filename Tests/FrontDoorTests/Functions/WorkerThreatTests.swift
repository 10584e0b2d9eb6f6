// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing
import Workers

@testable import ingestd

/// Workers that try what a mistake, or somebody who changed the program, could do to the machine, the data and other functions.
@Suite(.enabled(if: WorkerWorld.canRun, "this kernel cannot confine workers"))
struct WorkerThreatTests {
    /// A handler that evaluates each expression of its data, and says what it got.
    private static let attempts = """
        import ctypes, errno, resource, socket
        out = {}
        for name, expression in data.items():
            try: out[name] = str(eval(expression))
            except OSError as error: out[name] = errno.errorcode.get(error.errno, "?")
            except Exception as error: out[name] = type(error).__name__
        return out
        """

    private static func data(_ attempts: [String: String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: attempts), as: UTF8.self)
    }

    @Test func `files of the data folder, of configuration and of other users are out of reach`() async throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        try Data("secret".utf8).write(to: URL(fileURLWithPath: other.path + "/file"))
        try await WorkerWorld.use(in: folder) { world in
            try await world.define(handler: Self.attempts)
            let data = world.live.folder
            let attempts = [
                "read": "open('\(data)/main.db').read(1)", "write": "open('\(data)/main.db', 'r+')", "new": "open('\(data)/new', 'w')",
                "list": "os.listdir('\(data)')", "remove": "os.remove('\(data)/main.db')", "rename": "os.rename('\(data)/main.db', '\(data)/m')",
                "truncate": "os.truncate('\(data)/main.db', 0)", "link": "os.link('\(data)/main.db', os.environ['TMPDIR'] + '/main')",
                "folder": "os.mkdir('\(data)/folder')", "other": "open('\(other.path)/file').read()", "etc": "open('/etc/shadow').read()",
                "environ": "open('/proc/\(getpid())/environ').read()", "through": "open('/proc/\(getpid())/root\(data)/main.db').read(1)",
                "own": "open('\(world.scripts.path)/f.py').read(6)", "ownWrite": "open('\(world.scripts.path)/f.py', 'a')",
                "system": "open('/usr/bin/python3', 'rb').read(4)",
                "mode": "os.chmod('\(data)', 0o777)", "owner": "os.chown('\(data)', 1, 1)", "attribute": "os.setxattr('\(data)', 'user.a', b'1')",
                "scratch": "open(os.environ['TMPDIR'] + '/file', 'w').write('x')", "usr": "open('/usr/file', 'w')",
            ]
            let found = try await world.result("f", Self.data(attempts))
            for name in attempts.keys where !["own", "system", "scratch"].contains(name) {
                #expect(["EACCES", "EPERM", "EXDEV"].contains(found[name].text), "\(name): \(found[name].text)")
            }
            #expect(found["own"].text == "import" && found["system"].text.contains("ELF") && found["scratch"].text == "1")
            #expect(Folder.exists("\(data)/main.db") && !Folder.exists("\(data)/new"))
        }
    }

    @Test func `the environment is the documented one, and no descriptor, privilege or way out of the group is left`() async throws {
        try await WorkerWorld.use { world in
            setenv("SECRET_OF_THE_DAEMON", "1", 1)
            try await world.define(handler: Self.attempts)
            let attempts = [
                "environment": "sorted(os.environ)", "descriptors": "sorted(os.listdir('/proc/self/fd'))[:4]",
                "status": "open('/proc/self/status').read()", "session": "os.setsid()", "group": "os.setpgid(0, 0)",
                "leads": "os.getpgid(0) == os.getpid()",
                "unix": "socket.socket(socket.AF_UNIX)", "network": "socket.socket(socket.AF_INET).fileno() > 2",
                "pair": "len(socket.socketpair())", "signal": "os.kill(os.getppid(), 0)",
                "parentGroup": "os.killpg(os.getpgid(os.getppid()), 0)",
                "limit": "resource.prlimit(os.getppid(), resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))", "all": "os.kill(-1, 0)",
                "namespace": "os.getcwd()",
                "core": "resource.getrlimit(resource.RLIMIT_CORE)", "files": "resource.getrlimit(resource.RLIMIT_NOFILE)",
                "processes": "resource.getrlimit(resource.RLIMIT_NPROC)", "raise": "resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))",
                "parent": "ctypes.CDLL(None).prctl(2, ctypes.byref(death := ctypes.c_int())) or death.value",
            ]
            let found = try await world.result("f", Self.data(attempts))
            let environment = ["HOME", "LANG", "PATH", "PYTHONUNBUFFERED", "SIGNALBOX_APP", "SIGNALBOX_FUNCTION", "TMPDIR"]
            // Python adds its own locale.
            #expect(
                found["environment"].text.replacingOccurrences(of: "'LC_CTYPE', ", with: "")
                    == "\(environment)".replacingOccurrences(of: "\"", with: "'"))
            #expect(found["descriptors"].text == "['0', '1', '2', '3']")
            #expect(found["status"].text.contains("NoNewPrivs:\t1") && found["status"].text.contains("Seccomp:\t2"))
            for name in ["session", "group", "unix", "signal", "parentGroup", "limit", "all"] {
                #expect(["EPERM", "EACCES"].contains(found[name].text), "\(name)")
            }
            #expect(found["leads"].text == "True" && found["network"].text == "True" && found["pair"].text == "2")
            #expect(found["raise"].text == "ValueError")
            #expect(found["core"].text == "(0, 0)" && found["files"].text == "(1024, 1024)" && found["processes"].text == "(384, 384)")
            #expect(found["parent"].text == "\(SIGKILL)" && found["namespace"].text == world.scripts.path)
        }
    }

    @Test func `memory, files and lines have a limit, and others go on`() async throws {
        try await WorkerWorld.use(configure: { $0.workers.memoryBytes = 128 << 20 }) { world in
            try await world.define("grow", handler: Self.attempts)
            let found = try await world.result("grow", Self.data(["memory": "len(bytearray(8 << 30))", "small": "len(bytearray(1 << 20))"]))
            #expect(found["memory"].text == "MemoryError" && found["small"].text == "1048576")
            let endless = """
                piece = b"{" + b" " * (1 << 20)
                while True: os.write(1, piece)
                """
            try await world.define("endless", handler: endless)
            #expect(try await CallFault(world.call("endless")) == CallFault(500, "INTERNAL"))
            #expect(try await world.logs("more than 10 MiB", of: "endless"))
            #expect(try await world.result("grow", Self.data(["n": "1"]))["n"].text == "1")
        }
    }

    @Test(arguments: [
        ("say({'id': 'call_other'}, result=1)", "ID of another call"), ("print('{\"result\": 1}')", "ID of another call"),
        ("print('{nonsense')", "wrote a line that"), ("say(call, x=1)", "without log, message, result or error"),
        ("say(call, result=1)\nsay(call, result=2)", "answered without a call"),
    ])
    func `a lie ends the instance, and the next call has another`(lie: String, reason: String) async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "if data is None: return os.getpid()\n\(lie)\nsys.stdout.flush()\ntime.sleep(60)")
            let first = try await world.result().number
            _ = try await world.call("f", "1")
            #expect(try await world.logs(reason))
            #expect(try await world.result().number != first)
        }
    }

    @Test func `a client that leaves does not get its answer into another call`() async throws {
        try await WorkerWorld.use { world in
            // Long enough to be seen under way.
            let handler = "if data == 'left': time.sleep(3)\nreturn data"
            try await world.define(fields: #""auth": "none", "concurrency": 1"#, handler: handler)
            let connection = try world.api.connect()
            let body = Array(#"{"data": "left"}"#.utf8)
            try await connection.send(
                TestClient.bytes("POST", "/v1/call/\(world.keys.app)/f", headers: ["Content-Type": "application/json"], body: body))
            #expect(try await eventually { world.live.daemon.callDesk.figures.underWay == 1 })
            await connection.close()
            #expect(try await world.result("f", #""mine""#).text == "mine")
        }
    }

    @Test func `a worker whose folder has the data folder does not start`() async throws {
        let folder = TemporaryFolder()
        try await WorkerWorld.use(in: folder) { world in
            for place in ["/", folder.path, world.live.folder] {
                let body = #"{"worker": {"protocol": "lines", "command": ["/usr/bin/python3", "-c", "1"], "folder": "\#(place)"}, "auth": "none"}"#
                let set = try await world.api.asOperator("PUT", "/v1/functions/f?app=\(world.keys.app)", body)
                #expect([200, 201].contains(set.status))
                #expect(try await CallFault(world.call()) == CallFault(503, "UNAVAILABLE"))
            }
            #expect(try await world.logs("the data folder lie within each other"))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root runs a program as another user, and root has no limit of processes"))
    func `a fork bomb ends at the limit of processes`() async throws {
        let folder = TemporaryFolder()
        let program = folder.path + "/ingestd"
        try FileManager.default.copyItem(atPath: ProgramUnderTest.ingestd.path, toPath: program)
        for path in [folder.path, program] { #expect(chmod(path, 0o755) == 0) }
        let bomb = """
            import os, time
            count = 0
            for _ in range(500):
                try: child = os.fork()
                except OSError: break
                if child == 0:
                    time.sleep(60)
                    os._exit(0)
                count += 1
            print(count, flush=True)
            os.killpg(0, 9)
            """
        let asNobody = ["--reuid", "54321", "--regid", "54321", "--clear-groups", program, "confined-worker", "--", "/usr/bin/python3", "-c", bomb]
        let (code, output) = try await ChildProcess.run("/usr/bin/setpriv", asNobody, environment: ["PATH": "/usr/bin"])
        let count = try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(output)")
        #expect((300..<384).contains(count) && code == 128 + SIGKILL)
    }

    /// Fails a system call with an error of a program that it runs: its numbers come before the program.
    private static let withoutCall = """
        import ctypes, os, struct, sys
        call, error, *command = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
        # Loads the number of a call, and fails one.
        steps = [(0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, 0x50000 | error), (0x06, 0, 0, 0x7fff0000)]
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        class Program(ctypes.Structure): _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]
        libc, program = ctypes.CDLL(None), Program(len(steps), ctypes.addressof(code))
        assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
        os.execv(command[0], command)
        """
    private static let createRuleset = ["444", "\(ENOSYS)"]
    #if arch(x86_64)
        private static let setCapabilities = ["126", "\(EPERM)"]
    #else
        private static let setCapabilities = ["91", "\(EPERM)"]
    #endif

    @Test(.enabled(if: geteuid() == 0, "only root runs a program as another user"))
    func `a worker without capabilities needs not give them up, which the unit forbids`() async throws {
        let folder = TemporaryFolder()
        let program = folder.path + "/ingestd"
        try FileManager.default.copyItem(atPath: ProgramUnderTest.ingestd.path, toPath: program)
        for path in [folder.path, program] { #expect(chmod(path, 0o755) == 0) }
        let worker = ["-c", Self.withoutCall] + Self.setCapabilities + [program, "confined-worker", "--", "/usr/bin/echo", "works"]
        let asNobody = ["--reuid", "54321", "--regid", "54321", "--clear-groups", "/usr/bin/python3"] + worker
        let (code, output) = try await ChildProcess.run("/usr/bin/setpriv", asNobody, environment: ["PATH": "/usr/bin"])
        #expect(code == 0 && output == "works\n", "\(output)")
        #expect(try await ChildProcess.run("/usr/bin/python3", worker, environment: ["PATH": "/usr/bin"]).0 != 0)
    }

    @Test(arguments: [false, true]) func `without Landlock no worker starts unless the operator allows it`(isAllowed: Bool) async throws {
        let folder = TemporaryFolder()
        var environment = ["INGESTD_STORAGE_DIRECTORY": folder.path, "INGESTD_SERVER_LISTEN": "127.0.0.1:0", "INGESTD_FUNCTIONS_WORKERS": "true"]
        if isAllowed { environment["INGESTD_FUNCTIONS_UNCONFINED"] = "true" }
        let daemon = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.withoutCall] + Self.createRuleset + [ProgramUnderTest.ingestd.path, "serve"], environment: environment)
        let api = TestClient(port: 0, controlSocket: folder.path + "/control.sock")
        #expect(try await eventually { (try? await api.asOperator("GET", "/v1/apps").status) == 200 })
        let keys = try await api.makeApp()
        let script = "import json, sys\nfor line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'result': 7}), flush=True)"
        let definition = try JSONSerialization.data(withJSONObject: [
            "worker": ["protocol": "lines", "command": ["/usr/bin/python3", "-c", script]], "auth": "none",
        ])
        let set = try await api.asOperator("PUT", "/v1/functions/f?app=\(keys.app)", String(decoding: definition, as: UTF8.self))
        #expect(set.status == 201, "\(set.text)")
        let reply = try await api.asOperator("POST", "/v1/call/\(keys.app)/f", #"{"data": 1}"#)
        #expect(isAllowed ? reply.text == #"{"result":7}"# : try CallFault(reply) == CallFault(503, "UNAVAILABLE"), "\(reply.text)")
        if !isAllowed {
            #expect(
                try await eventually {
                    try await api.asOperator("GET", "/v1/functions/f/logs?app=\(keys.app)").text.contains("the kernel has no Landlock")
                })
        }
        daemon.signal(SIGTERM)
        #expect(await daemon.exitCode() == 0)
    }

    @Test func `a worker and what it started die with the daemon`() async throws {
        let (folder, scripts) = (TemporaryFolder(), TemporaryFolder())
        let daemon = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_FUNCTIONS_WORKERS": "true"])
        let keys = try await daemon.api.makeApp()
        // It does not end with its input.
        let script = """
            import json, os, subprocess, sys, time
            child = subprocess.Popen(["/bin/sleep", "600"]).pid
            for line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'result': [os.getpid(), child]}), flush=True)
            time.sleep(600)
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: scripts.path + "/f.py"))
        let set = try await ProgramUnderTest.ingestd.run([
            "function", "worker", "f", "--app", "shop", "--data", folder.path, "--protocol", "lines", "--folder", scripts.path, "--",
            "/usr/bin/python3",
            "f.py",
        ])
        #expect(set.code == 0 && set.output == "Set f.\n", "\(set.complaint)")
        let reply = try await daemon.api.asOperator("POST", "/v1/call/\(keys.app)/f", #"{"data": 1}"#)
        let processes = try JSON(reply)["result"].items.map { Int($0.number) }
        #expect(processes.count == 2 && processes.allSatisfy(WorkerWorld.isRunning))
        await daemon.killHard()
        // Orphans are reaped by the init process.
        for process in processes {
            #expect(try await eventually { (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true })
        }
    }

    @Test func `a restored backup starts no program unless the operator allows workers`() async throws {
        let (folder, copy) = (TemporaryFolder(), TemporaryFolder())
        let keys = try await withDaemon(in: folder) { live async throws in
            let keys = try await live.api.makeApp()
            let body = #"{"worker": {"protocol": "lines", "command": ["/bin/cat"]}, "auth": "none"}"#
            #expect(try await live.api.asOperator("PUT", "/v1/functions/f?app=\(keys.app)", body).status == 201)
            return keys
        }
        let (backup, restored) = (copy.path + "/backup", copy.path + "/restored")
        #expect(try await ProgramUnderTest.ingestd.run(["backup", backup, "--data", folder.path]).code == 0)
        #expect(try await ProgramUnderTest.ingestd.run(["restore", backup, "--data", restored]).code == 0)
        let daemon = try await DaemonProcess.start(in: restored)
        let reply = try await daemon.api.post("/v1/call/\(keys.app)/f", #"{"data": 1}"#)
        #expect(try CallFault(reply) == CallFault(503, "UNAVAILABLE") && reply.text.contains("functions.workers"))
        #expect(try await daemon.api.get("/metrics").text.contains("signalbox_function_worker_starts_total 0"))
        #expect(await daemon.stop() == 0)
    }
}
