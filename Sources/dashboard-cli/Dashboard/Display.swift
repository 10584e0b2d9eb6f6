// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// The colors and characters of the terminal, from options or the environment.
struct Display: Sendable {
    let depth: ColorDepth
    let alphabet: Alphabet
    /// Printed output has colors only with `--color always`.
    let printedDepth: ColorDepth
    let takesMouse: Bool

    static let options = [ascii, color]
    /// For the live dashboard only.
    static let mouse = Option("--mouse", .none, "Enables clicks and the wheel; hold shift to select text.")
    private static let ascii = Option("--ascii", .none, "Draws with ASCII only.")
    private static let color = Option("--color", .choice(["auto", "always", "never"]), "When to use colors; default: auto, which respects NO_COLOR.")

    init(_ arguments: Arguments, _ environment: [String: String] = ProcessEnvironment.variables) {
        let detected = ColorDepth(environment)
        switch arguments.one(Display.color.name) {
        case "always": depth = detected == .none ? .basic : detected
        case "never": depth = .none
        default: depth = detected
        }
        printedDepth = arguments.one(Display.color.name) == "always" ? depth : .none
        alphabet = arguments.has(Display.ascii) ? .ascii : Alphabet(environment)
        takesMouse = arguments.has(Display.mouse)
    }
}
