// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

/// The settings of all Swift targets. Those that wrap no C library also have strict memory safety.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
/// The settings of the modules that the daemon links: an optimized build specializes the generics of one module where another uses them.
let linked = house + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]
let safe = linked + [.strictMemorySafety()]

/// The modules that store data, for targets that use all of them.
let stores: [Target.Dependency] = [
    "AcrossStores", "Analytics", "EventStore", "CrashStore", "MessageStore", "AuditStore", "AccountStore", "DocumentStore", "FileStore",
    "FunctionStore", "Files",
    "Functions", "Database", "AppDirectory",
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = safe) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A module that owns a C library: the only kind that may hold unsafe pointers.
func wrapper(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    module(name, dependencies, settings: linked)
}

func library(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: house)
}

let package = Package(
    name: "signalbox",
    // For the client; everything else runs on Linux.
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "SignalboxClient", targets: ["Signalbox"]),
        .library(name: "SignalboxDocuments", targets: ["SignalboxDocuments"]),
        .executable(name: "ingestd", targets: ["ingestd"]),
        .executable(name: "dashboard-cli", targets: ["dashboard-cli"]),
        // Tests load it between the daemon and the C library.
        .library(name: "fault-shim", type: .dynamic, targets: ["FaultShim"]),
    ],
    targets: [
        .executableTarget(
            name: "ingestd",
            dependencies: stores + [
                "API", "Alerts", "Ingest", "Delivery", "Workers", "Symbols", "HTTPServer", "HTTPClient", "Events", "Crashes", "Messaging", "Accounts",
                "JOSE", "JSON", "Crypto", "Compression", "Platform", "Firestore", "FirestoreExport", "Rules", "SignalboxDocumentModel", "Listening",
                "DocumentRequests",
            ],
            swiftSettings: safe),

        .executableTarget(
            name: "dashboard-cli", dependencies: ["Panes", "API", "Terminal", "HTTPClient", "Events", "Crashes", "Messaging", "JSON", "Platform"],
            swiftSettings: safe),

        .executableTarget(
            name: "signalbox-bench",
            dependencies: stores + [
                "API", "SQLite", "Delivery", "Messaging", "HTTPServer", "HTTPClient", "Terminal", "Events", "Crashes", "Accounts", "JOSE", "Crypto",
                "Platform", "TestSupport", "CLinux", "CTransfers", "Signalbox", "SignalboxDocuments", "Rules", "SignalboxDocumentModel",
            ],
            path: "Benchmarks/Sources",
            swiftSettings: house),
        // The load of transfers, and the loop that uploads are compared with.
        .target(name: "CTransfers", path: "Benchmarks/CTransfers", linkerSettings: [.linkedLibrary("crypto")]),

        // The client that apps link. It depends on its own C code only.
        .target(name: "Signalbox", dependencies: ["CSignalbox"], path: "Sources/Client", swiftSettings: house),
        .target(name: "CSignalbox", path: "Sources/CClient", linkerSettings: [.linkedLibrary("z")]),
        // Documents for apps, a product of its own: apps that only log events do not link SQLite.
        .target(
            name: "SignalboxDocuments", dependencies: ["Signalbox", "SignalboxDocumentModel", "CSignalboxSQLite"], path: "Sources/DocumentsClient",
            swiftSettings: house),
        .target(name: "CSignalboxSQLite", path: "Sources/CDocumentsClient", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "writing-app", dependencies: ["SignalboxDocuments", "Signalbox"], path: "Tests/WritingApp", swiftSettings: house),
        .executableTarget(name: "logging-app", dependencies: ["Signalbox"], path: "Tests/LoggingApp", swiftSettings: house),
        .executableTarget(
            name: "crashing-app", dependencies: ["Signalbox"], path: "Tests/CrashingApp", swiftSettings: house,
            // Symbols are found by build ID, which the toolchain does not write on Linux by default.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id=sha1"], .when(platforms: [.linux]))]),
        tests("ClientTests", ["Signalbox", "CSignalbox", "logging-app", "crashing-app", "ingestd", "Accounts", "Platform", "TestSupport"]),

        tests(
            "DocumentsClientTests",
            ["SignalboxDocuments", "Signalbox", "SignalboxDocumentModel", "writing-app", "ingestd", "Platform", "TestSupport"]),

        .executableTarget(name: "request-reader", dependencies: ["HTTPServer"], path: "Tests/Conformance/RequestReader", swiftSettings: house),

        module("API", ["Events", "Crashes", "Messaging", "Functions", "Platform"]),
        module("Ingest", ["Events", "Crashes", "Messaging", "JSON", "Platform"]),
        module("Database", ["SQLite", "Platform"]),
        module("AppDirectory", ["Database", "Crypto", "Platform"]),
        module("EventStore", ["Database", "AppDirectory", "Events", "Crashes", "SQLite", "Compression", "Crypto", "Platform"]),
        module("CrashStore", ["Database", "AppDirectory", "Crashes", "SQLite", "Compression", "Crypto", "Platform"]),
        module("MessageStore", ["Database", "AppDirectory", "Messaging", "SQLite", "Crypto", "Platform"]),
        module("AuditStore", ["Database", "AppDirectory", "SQLite", "Platform"]),
        module("AccountStore", ["Database", "AppDirectory", "Accounts", "JOSE", "SQLite", "Crypto", "Platform"]),
        module(
            "DocumentStore", ["Database", "AppDirectory", "SignalboxDocumentModel", "Listening", "Rules", "SQLite", "JSON", "Crypto", "Platform"]),
        module("FileStore", ["Database", "AppDirectory", "Files", "Rules", "SQLite", "JSON", "Crypto", "Platform"]),
        module(
            "FunctionStore", ["Database", "AppDirectory", "Functions", "Messaging", "SQLite", "JSON", "Crypto", "Platform"]),
        module("DocumentRequests", ["DocumentStore", "SignalboxDocumentModel", "Listening", "Rules", "JSON", "Platform"]),
        module("Analytics", ["EventStore", "Database", "AppDirectory", "Events", "Crashes", "SQLite", "Platform"]),
        module(
            "AcrossStores",
            [
                "Analytics", "EventStore", "CrashStore", "MessageStore", "AuditStore", "AccountStore", "DocumentStore", "FileStore", "FunctionStore",
                "Functions", "Database", "AppDirectory", "Events", "Crashes", "Accounts", "Crypto", "Platform",
            ]),
        module(
            "Alerts",
            [
                "AcrossStores", "AppDirectory", "EventStore", "CrashStore", "MessageStore", "AccountStore", "Accounts", "Events", "Crashes",
                "Messaging", "JSON", "Platform",
            ]),
        module("Delivery", ["Messaging", "HTTPClient", "Crypto", "JSON", "Platform"]),
        module("Accounts", ["JOSE", "Crypto", "JSON", "Platform"]),
        module("JOSE", ["Crypto", "JSON", "Platform"]),
        module("Rules", ["SignalboxDocumentModel", "Patterns", "Crypto"]),
        module("Firestore", ["SignalboxDocumentModel", "Crypto", "JSON", "Platform"]),
        module("FirestoreExport", ["SignalboxDocumentModel"]),
        module("Listening", ["SignalboxDocumentModel"]),
        module("Panes", ["API", "Terminal", "Events", "Crashes", "Messaging", "JSON", "Platform"]),
        module("Events", ["Platform"]),
        module("Crashes", ["Platform"]),
        module("Messaging", ["Platform"]),
        module("Functions", ["JSON", "Platform"]),
        module("Files", ["Crypto", "Platform"]),
        module("Platform", ["CLinux"]),
        // Shared with the client, so its name is unique among packages.
        .target(name: "SignalboxDocumentModel", path: "Sources/DocumentModel", swiftSettings: safe),

        wrapper("Workers", ["CLinux", "Functions", "HTTPClient", "HTTPServer", "JSON", "Platform"]),
        wrapper("Symbols", ["CDemangle", "CLinux", "Compression", "Crashes", "Crypto", "JSON", "Platform"]),
        wrapper("SQLite", ["CSQLite"]),
        wrapper("HTTPServer", ["CLinux", "Compression", "Platform"]),
        wrapper("HTTPClient", ["CCurl", "Platform"]),
        wrapper("Terminal", ["CLinux"]),
        wrapper("JSON", ["CSimdJSON"]),
        wrapper("Compression", ["CZlib", "CBrotli", "CZstd"]),
        wrapper("Crypto", ["CCrypto", "CArgon2", "CCrypt", "CChecksum"]),
        wrapper("Patterns", ["CRE2"]),

        .target(
            name: "TestSupport", dependencies: stores + ["Workers", "Events", "Terminal", "SQLite", "Crypto", "Platform", "CCrypto", "CLinux"],
            path: "Tests/TestSupport", swiftSettings: house),
        .target(name: "FaultShim", path: "Tests/FaultShim"),
        .target(name: "WrittenDumps", path: "Tests/WrittenDumps", swiftSettings: safe),
        tests(
            "FrontDoorTests",
            stores + [
                "ingestd", "Accounts", "Alerts", "HTTPServer", "Compression", "Crypto", "Delivery", "Workers", "JOSE", "Symbols", "SQLite", "Events",
                "Crashes", "Messaging", "Firestore", "SignalboxDocumentModel", "Platform", "TestSupport", "WrittenDumps",
            ]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("StoreTests", stores + ["SignalboxDocumentModel", "JSON", "SQLite", "Events", "Crashes", "Messaging", "Platform", "TestSupport"]),
        tests("QueryTests", stores + ["Events", "Crashes", "JSON", "Platform", "TestSupport"]),
        tests("PlatformTests", ["Platform", "TestSupport"]),
        tests("CryptoTests", ["Crypto", "CChecksum", "TestSupport"]),
        tests("HTTPClientTests", ["HTTPClient", "HTTPServer", "Platform", "TestSupport"]),
        tests("TerminalTests", ["Terminal", "TestSupport"]),
        tests(
            "DashboardTests", ["dashboard-cli", "Panes", "API", "ingestd", "Terminal", "HTTPClient", "Messaging", "JSON", "Platform", "TestSupport"]),
        tests("CommandTests", stores + ["API", "ingestd", "Delivery", "HTTPClient", "HTTPServer", "Platform", "TestSupport"]),

        .target(name: "CLinux"),
        .target(name: "CChecksum"),
        .target(name: "CDemangle", linkerSettings: [.linkedLibrary("stdc++")]),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2"), .linkedLibrary("stdc++")]),
        .target(name: "CArgon2", linkerSettings: [.linkedLibrary("argon2")]),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CCrypt", pkgConfig: "libcrypt", apt: "libcrypt-dev"),

        tests("OpenAPITests", stores + ["ingestd", "API", "Alerts", "JSON", "HTTPServer", "HTTPClient", "Events", "Platform", "TestSupport"]),
        tests("HTTPServerTests", ["HTTPServer", "Compression", "Crypto", "Platform", "TestSupport"]),
        tests("CompressionTests", ["Compression"]),
        tests("AccountsTests", ["Accounts", "JOSE", "Crypto", "JSON", "Platform", "TestSupport"]),
        tests("JOSETests", ["JOSE", "Crypto", "JSON", "Platform", "CCrypto", "TestSupport"]),
        tests("JSONTests", ["JSON", "CSimdJSON", "Platform", "TestSupport"]),
        tests("DocumentTests", ["SignalboxDocumentModel", "Rules", "Listening", "Firestore", "FirestoreExport", "JSON", "Platform"]),
        tests("FilesTests", ["Files", "Crypto", "Platform", "TestSupport"]),
        tests("EventsTests", ["Events", "Platform"]),
        tests("CrashesTests", ["Crashes", "Platform", "TestSupport"]),
        tests("SymbolsTests", ["ingestd", "Symbols", "Crashes", "Platform", "TestSupport", "WrittenDumps"]),
        tests("MessagingTests", ["Messaging", "Platform", "TestSupport"]),
        tests("FunctionsTests", ["Functions", "Workers", "JSON", "Platform", "TestSupport"]),
        tests("DeliveryTests", stores + ["Delivery", "HTTPClient", "Messaging", "Crypto", "JSON", "Platform", "TestSupport"]),
        tests("IngestTests", ["Ingest", "Events", "Crashes", "Messaging", "JSON", "Platform", "TestSupport", "WrittenDumps"]),

        .target(
            name: "FuzzTargets",
            dependencies: [
                "Ingest", "Events", "Crashes", "Symbols", "Messaging", "Accounts", "JOSE", "Rules", "Firestore", "SignalboxDocumentModel",
                "FirestoreExport", "Files", "Workers", "HTTPClient", "HTTPServer", "JSON",
                "Compression", "Crypto", "DocumentStore", "DocumentRequests", "AcrossStores", "Analytics", "EventStore", "Platform", "WrittenDumps",
            ],
            path: "Fuzz/Targets", swiftSettings: house),
        .target(name: "FuzzGrowers", dependencies: ["WrittenDumps"], path: "Fuzz/Growers", swiftSettings: safe),
        tests("FuzzTests", ["FuzzTargets", "FuzzGrowers", "Platform", "TestSupport"]),
    ],
    cxxLanguageStandard: .cxx17
)

// A module folder may contain a README, which is not a source file.
for target in package.targets where target.type != .system {
    let folder = target.path ?? (target.type == .test ? "Tests/" : "Sources/") + target.name
    if FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)/README.md") { target.exclude.append("README.md") }
}

// Packages that depend on this one get the client only: target names must be unique among all packages, and ours are common words.
if Context.packageDirectory.contains("/checkouts/") {
    package.products.removeAll { !["SignalboxClient", "SignalboxDocuments"].contains($0.name) }
    let client: Set = ["Signalbox", "CSignalbox", "SignalboxDocuments", "SignalboxDocumentModel", "CSignalboxSQLite"]
    package.targets.removeAll { !client.contains($0.name) }
    // SwiftPM takes no dependency with unsafe flags.
    for target in package.targets where target.swiftSettings != nil { target.swiftSettings = house }
}

// `scripts/bench-frames` sets this to build the tests of the dashboard alone, in release mode.
if Context.environment["SIGNALBOX_FRAMES"] != nil {
    package.targets.removeAll { $0.type == .test && $0.name != "DashboardTests" }
}

// `scripts/fuzz` sets this. It adds the fuzzer and builds everything with coverage.
if Context.environment["SIGNALBOX_FUZZ"] != nil {
    package.targets += [
        .executableTarget(name: "signalbox-fuzz", dependencies: ["FuzzTargets", "CLibFuzzer"], path: "Fuzz/Driver", swiftSettings: house),
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    ]
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer,address"])]
        target.cxxSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
    }
}

// `scripts/fuzz linear` sets this. Modules that decode untrusted bytes are built with coverage callbacks, all others without.
if Context.environment["SIGNALBOX_LINEAR"] != nil {
    let wrapped = [
        "sbj_scan", "inflate", "deflate", "BrotliDecoderDecompressStream", "ZSTD_decompressStream", "ZSTD_compress", "EVP_DigestUpdate",
    ]
    let counted: Set = [
        "Ingest", "Events", "Crashes", "Symbols", "Messaging", "Accounts", "JOSE", "Rules", "Firestore", "Patterns", "SignalboxDocumentModel",
        "FirestoreExport", "Files", "Functions", "Workers", "HTTPServer",
        "JSON", "Compression",
        "Platform", "Crypto", "CSimdJSON", "CDemangle", "CLinux", "DocumentStore", "DocumentRequests",
        "AcrossStores", "Analytics", "EventStore",
    ]
    for target in package.targets where counted.contains(target.name) {
        // Through the frontend, because the driver would link libFuzzer, which defines the callbacks itself.
        target.swiftSettings =
            (target.swiftSettings ?? [])
            + [.unsafeFlags(["-Xfrontend", "-sanitize=fuzzer", "-Xfrontend", "-sanitize-coverage=edge,trace-pc-guard"])]
        target.cSettings = [.unsafeFlags(["-fsanitize-coverage=trace-pc-guard"])]
        target.cxxSettings = [.unsafeFlags(["-fsanitize-coverage=trace-pc-guard"])]
    }
    package.targets += [
        .target(name: "CWork", path: "Fuzz/CWork", cSettings: [.unsafeFlags(["-fno-builtin", "-O2"])]),
        .executableTarget(
            name: "signalbox-linear", dependencies: ["FuzzTargets", "FuzzGrowers", "CWork", "Platform", "HTTPServer", "JSON"], path: "Fuzz/Linear",
            swiftSettings: house,
            linkerSettings: [.unsafeFlags(wrapped.flatMap { ["-Xlinker", "--wrap=\($0)"] })]),
    ]
}
