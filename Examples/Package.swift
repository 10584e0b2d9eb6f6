// SPDX-License-Identifier: Apache-2.0

// swift-tools-version: 6.2
import PackageDescription

let client = Target.Dependency.product(name: "SignalboxClient", package: "signalbox")
let documents = Target.Dependency.product(name: "SignalboxDocuments", package: "signalbox")

let package = Package(
    name: "examples",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [
        // In an app of yours: .package(url: "https://…/signalbox", from: "1.0.0")
        .package(name: "signalbox", path: "..")
    ],
    targets: [
        .executableTarget(name: "kiosk", dependencies: [client], path: "Kiosk", exclude: ["check"]),

        // Two targets, because both have a protocol `StorageAdapter`.
        .target(name: "AppAdapters", dependencies: [client, documents], path: "Adapters/App"),
        .target(name: "FileAdapters", dependencies: [client], path: "Adapters/Files"),
        .testTarget(name: "AdapterTests", dependencies: ["AppAdapters", "FileAdapters", client, documents], path: "Adapters/Tests"),

        // The shop without a user interface, and its shell in the terminal.
        .target(name: "ShopModel", dependencies: ["AppAdapters", "FileAdapters", client, documents], path: "Shop/Model"),
        .executableTarget(name: "shop", dependencies: ["ShopModel", "AppAdapters", client], path: "Shop/Command"),
    ]
)
