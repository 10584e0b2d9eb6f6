// SPDX-License-Identifier: Apache-2.0

import Platform

/// Configurations: read or refused with a place, and what was read says of itself what would be read again.
enum Configurations {
    static func run(_ bytes: [UInt8]) {
        readFile(bytes)
        guard let choice = bytes.first, let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
        readVariable(Setting.all[Int(choice) % Setting.all.count], text)
        readQuantities(text)
    }

    private static func readFile(_ bytes: [UInt8]) {
        var reader = ConfigurationReader()
        reader.read(file: "f", bytes)
        do throws(ConfigurationError) {
            let configuration = try reader.result()
            accepted()
            require(read { $0.read(file: "f", bytes) } == configuration, "read differently the second time")
        } catch {
            require(!error.problems.isEmpty && !error.description.isEmpty, "refused without a word")
            for problem in error.problems { require((problem.line ?? 1) >= 1 && (problem.column ?? 1) >= 1, "a place before the beginning") }
        }
    }

    /// A value that was taken is printed as what a file would say to have it.
    private static func readVariable(_ setting: Setting, _ text: String) {
        guard setting.key != "metrics.token", let configuration = read({ $0.read(environment: [setting.environmentName: text]) }) else { return }
        let printed = setting.text(in: configuration)
        let member = "\(setting.leaf): \(printed)"
        let file = setting.section.isEmpty ? "{\(member)}" : "{\(setting.section): {\(member)}}"
        require(read { $0.read(file: "f", Array(file.utf8)) } == configuration, "\(setting.key) is printed as \(printed), which says something else")
    }

    private static func read(_ source: (inout ConfigurationReader) -> Void) -> Configuration? {
        var reader = ConfigurationReader()
        source(&reader)
        return try? reader.result()
    }

    private static func readQuantities(_ text: String) {
        if let duration = Quantity.duration(text) { require(Quantity.duration(Quantity.text(duration)) == duration, "lost a part of \(duration)") }
        if let size = Quantity.size(text) { require(Quantity.size(Quantity.text(size: size)) == size, "lost a part of \(size) bytes") }
    }
}
