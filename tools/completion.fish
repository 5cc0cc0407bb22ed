# tools/completion.fish -- completion of the heddle command for fish.
#
# Like completion.bash it asks heddle itself for commands, options and what they mean. Installed as
# share/fish/vendor_completions.d/heddle.fish.
#
# SPDX-License-Identifier: MIT

function __heddle_program
    commandline -opc | head -n 1
end

# The command that stands on the line, empty when none does yet.
function __heddle_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

# name<tab>meaning
function __heddle_commands
    set -l program (__heddle_program)
    $program --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end

function __heddle_options
    set -l program (__heddle_program)
    set -l lines ($program (__heddle_command) --help 2>/dev/null | string match -r '^  -.*')
    for line in $lines
        set -l meaning (string replace -r '^  \S.*?  +' '' -- $line)
        for option in (string match -ar '(?<=[ ,]|^)--?[a-zA-Z][a-z0-9-]*' -- (string replace -r '(^  \S.*?)  +.*' '$1' -- $line))
            printf '%s\t%s\n' $option $meaning
        end
    end
end

function __heddle_rules
    set -l program (__heddle_program)
    $program explain --list 2>/dev/null
end

# The words that may follow the option before the cursor.
function __heddle_values
    set -l words (commandline -opc)
    switch $words[-1]
        case --env
            printf '%s\n' universal1.{0,1,2,3,4,5,6} opencl{1.2,2.0,2.1,2.2,3.0,3.1}{,-embedded} vulkan1.{0,1,1spv1.4,2,3,4}
        case --target-env
            printf '%s\n' spv1.{0,1,2,3,4,5,6} opencl{1.2,2.0,2.1,2.2,3.0,3.1} vulkan1.{0,1,1spv1.4,2,3,4}
        case --device
            printf '%s\n' default list
        case --engine
            printf '%s\n' compiled interpreted
        case --lane-dim
            printf '%s\n' 1 2 3
        case --width
            printf '%s\n' 1 4 8 16 32
        case --dump
            printf '%s\n' ir lanes llvm asm after:
        case --ext
            printf '%s\n' all none
    end
end

complete -c heddle -n 'test -z "$(__heddle_command)"' -f -a '(__heddle_commands)'
complete -c heddle -n 'test -z "$(__heddle_command)"' -f -l help -d 'show help'
complete -c heddle -n 'test -z "$(__heddle_command)"' -f -l version -d 'show the version'
complete -c heddle -n 'test -n "$(__heddle_command)"; and string match -q -- "-*" (commandline -ct)' -f -a '(__heddle_options)'
complete -c heddle -n 'test "$(__heddle_command)" = help' -f -a '(__heddle_commands)'
complete -c heddle -n 'test "$(__heddle_command)" = explain' -f -a '(__heddle_rules)'
complete -c heddle -n 'test -n "$(__heddle_values)"' -f -a '(__heddle_values)'
