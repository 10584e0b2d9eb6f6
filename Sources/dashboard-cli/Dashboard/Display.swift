// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// What a terminal shows of colours and characters: what was asked for, or else what its environment says.
struct Display: Sendable {
    let depth: ColorDepth
    let alphabet: Alphabet
    /// What is printed rather than shown has colours only where somebody insists.
    let printedDepth: ColorDepth
    let takesMouse: Bool

    static let options = [ascii, color]
    /// Of what fills the whole screen.
    static let mouse = Option("--mouse", .none, "Takes clicks and the wheel; to select text then, hold shift.")
    private static let ascii = Option("--ascii", .none, "Draws with ASCII alone.")
    private static let color = Option("--color", .choice(["auto", "always", "never"]), "Whether to use colours; auto, and so NO_COLOR, without it.")

    init(_ arguments: Arguments, _ environment: [String: String] = ProcessEnvironment.variables) {
        let told = ColorDepth(environment)
        switch arguments.one(Display.color.name) {
        case "always": depth = told == .none ? .basic : told
        case "never": depth = .none
        default: depth = told
        }
        printedDepth = arguments.one(Display.color.name) == "always" ? depth : .none
        alphabet = arguments.has(Display.ascii) ? .ascii : Alphabet(environment)
        takesMouse = arguments.has(Display.mouse)
    }
}
