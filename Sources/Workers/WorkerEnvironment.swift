// SPDX-License-Identifier: Apache-2.0

/// The environment of a worker. It has nothing of the daemon's.
enum WorkerEnvironment {
    static func variables(of function: WorkerFunction, scratch: String) -> [String] {
        [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(scratch)", "TMPDIR=\(scratch)", "LANG=C.UTF-8", "SIGNALBOX_APP=\(function.app)",
            "SIGNALBOX_FUNCTION=\(function.name)", "PYTHONUNBUFFERED=1",
        ]
    }

    /// The variables of AWS Lambda that its runtimes read.
    static func runtimeVariables(of function: WorkerFunction, _ place: WorkerPlace, _ options: WorkerOptions, address: String) -> [String] {
        [
            "AWS_LAMBDA_RUNTIME_API=\(address)", "AWS_LAMBDA_FUNCTION_NAME=\(function.name)", "AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=\(options.memoryBytes >> 20)", "AWS_LAMBDA_LOG_GROUP_NAME=/signalbox/\(function.app)",
            "AWS_LAMBDA_LOG_STREAM_NAME=\(function.name)", "LAMBDA_TASK_ROOT=\(place.folder)",
        ]
    }
}
