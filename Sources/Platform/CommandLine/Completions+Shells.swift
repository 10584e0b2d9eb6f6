// SPDX-License-Identifier: Apache-2.0

// The scripts of each shell read the words before the cursor, find the command, and offer its completions.

extension Completions {
    var bash: String {
        """
        # Completions of \(table.program) for bash: source <(\(table.program) completions bash)
        \(function)() {
            local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= skips= each choices=
            # In bash an equals sign is a separate word.
            if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
            if [[ $word == = ]]; then word=; fi
            for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        \(wordLoop)
            done
            COMPREPLY=()
            case "$command $previous" in
        \(bashValues)
            esac
            case "$command" in
        \(places.map { "        \(Completions.quoted($0.words))) choices=\(Completions.quoted($0.words(joined: " "))) ;;" }.joined(separator: "\n"))
            esac
            mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
        }
        complete -o bashdefault -F \(function) \(table.program)
        """
    }

    private var bashValues: String {
        valueCases { kind in
            switch kind {
            case .choice(let words): "mapfile -t COMPREPLY < <(compgen -W \(Completions.quoted(words.joined(separator: " "))) -- \"$word\")"
            case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
            case .free: ":"
            }
        }
    }

    var zsh: String {
        """
        #compdef \(table.program)
        # Completions of \(table.program) for zsh: source <(\(table.program) completions zsh), or as the file _\(table.program) in a folder of fpath.
        \(function)() {
            local previous=${words[CURRENT-1]} command= skips= each
            local -a choices
            # Completes the value after an equals sign separately.
            if compset -P '--*='; then previous=${IPREFIX%=}; fi
            for each in "${(@)words[2,CURRENT-1]}"; do
        \(wordLoop)
            done
            case "$command $previous" in
        \(zshValues)
            esac
            case "$command" in
        \(places.map { "        \(Completions.quoted($0.words))) choices=(\($0.described.map(Completions.quoted).joined(separator: " "))) ;;" }
            .joined(separator: "\n"))
            esac
            _describe -t words \(table.program) choices
        }
        if [[ ${funcstack[1]} == _\(table.program) ]]; then \(function) "$@"; else compdef \(function) \(table.program); fi
        """
    }

    private var zshValues: String {
        valueCases { kind in
            switch kind {
            case .choice(let words): "compadd -- \(words.joined(separator: " "))"
            case .file: "_files"
            case .free: "_message value"
            }
        }
    }

    /// The cases of bash and zsh for an option's value.
    private func valueCases(_ offer: (Value.Kind) -> String) -> String {
        values.map { "        \(Completions.quoted("\($0.words) \($0.option)"))) \(offer($0.kind)); return ;;" }.joined(separator: "\n")
    }

    /// The cases of bash and zsh for words before the cursor.
    private var wordLoop: String {
        """
                if [[ -n $skips ]]; then skips=; continue; fi
                case "$each" in
                    =|\(optionsWithValue.joined(separator: "|"))) skips=1; continue ;;
                esac
                case "${command:+$command }$each" in
                    \(commandWords.map(Completions.quoted).joined(separator: "|"))) command="${command:+$command }$each" ;;
                esac
        """
    }

    var fish: String {
        let at = "_\(function)_at"
        return """
            # Completions of \(table.program) for fish: \(table.program) completions fish | source
            function \(at) --description 'Whether the words before the cursor are those of a command'
                set --local command
                set --local skips no
                for each in (commandline --tokenize --cut-at-cursor --current-process)[2..]
                    if test $skips = yes
                        set skips no
                        continue
                    end
                    switch $each
                        case \(optionsWithValue.joined(separator: " "))
                            set skips yes
                            continue
                    end
                    switch (string join ' ' -- $command $each)
                        case \(commandWords.map(Completions.quoted).joined(separator: " "))
                            set command $command $each
                    end
                end
                test "$command" = "$argv[1]"
            end
            complete --command \(table.program) --no-files
            \(places.flatMap { fishLines($0, at) }.joined(separator: "\n"))
            """
    }

    private func fishLines(_ place: Place, _ at: String) -> [String] {
        place.candidates.map { candidate in
            let condition = "complete --command \(table.program) --condition \(Completions.quoted("\(at) \(Completions.quoted(place.words))"))"
            let meaning = candidate.meaning.isEmpty ? "" : " --description \(Completions.quoted(candidate.meaning))"
            guard candidate.word.hasPrefix("--") else { return "\(condition) --arguments \(Completions.quoted(candidate.word))\(meaning)" }
            let value = values.first { $0.words == place.words && $0.option == candidate.word }
            return "\(condition) --long-option \(candidate.word.dropFirst(2))\(value?.fishOption ?? "")\(meaning)"
        }
    }
}

extension Completions.Place {
    fileprivate func words(joined separator: String) -> String { candidates.map(\.word).joined(separator: separator) }

    /// The zsh form, with a colon before the description.
    fileprivate var described: [String] {
        candidates.map { candidate in
            let meaning = candidate.meaning.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
            return meaning.isEmpty ? candidate.word : "\(candidate.word):\(meaning)"
        }
    }
}

extension Completions.Value {
    fileprivate var fishOption: String {
        switch kind {
        case .choice(let words): " --exclusive --arguments \(Completions.quoted(words.joined(separator: " ")))"
        case .file: " --require-parameter --force-files"
        case .free: " --exclusive"
        }
    }
}
