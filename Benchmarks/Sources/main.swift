let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "bare-table": try BareTable.run(Options(arguments))
case "write-side": try await WriteSide.run(Options(arguments))
default:
    print("usage: signalbox-bench bare-table|write-side [--events N] [--batch N] [--clients N] [--ids ordered|random]")
}
