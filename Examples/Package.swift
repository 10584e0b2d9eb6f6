// SPDX-License-Identifier: Apache-2.0

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v13)],
    dependencies: [
        // In an app of yours: .package(url: "https://…/signalbox", from: "1.0.0")
        .package(name: "signalbox", path: "..")
    ],
    targets: [
        .executableTarget(name: "kiosk", dependencies: [.product(name: "SignalboxClient", package: "signalbox")], path: "Kiosk")
    ]
)
