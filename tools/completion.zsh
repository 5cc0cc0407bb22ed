#compdef heddle
# tools/completion.zsh -- completion of the heddle command for zsh.
#
# Like completion.bash it asks heddle itself for commands, options and what they mean. Installed as share/zsh/site-functions/_heddle.
#
# SPDX-License-Identifier: MIT

# name:meaning of the commands, and of a command's options.
_heddle_commands() {
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p'
}

_heddle_options() {
    "$1" "$2" --help 2>/dev/null |
        sed -n 's/^  \(-[^ ].*\)/\1/p' |
        sed -n 's/^\(-[a-zA-Z]\), \(--[a-z0-9-]*\)[^ ]*  *\(.*\)/\1:\3\n\2:\3/p; t
                s/^\(--[a-z0-9-]*\), \(--[a-z0-9-]*\)  *\(.*\)/\1:\3\n\2:\3/p; t
                s/^\(--*[a-zA-Z][a-z0-9-]*\)\([ =][^ ]\{1,\}\)\{0,1\}  \{1,\}\(.*\)/\1:\3/p'
}

# What the help calls the value of an option, as "FILE"; nothing if it takes none.
_heddle_value() {
    "$1" "$2" --help 2>/dev/null | sed -nE "s/^  $3 ([^ -][^ ]*).*/\1/p"
}

# The words that may follow an option; nothing for those that take any.
_heddle_values() {
    case $2 in
    --env) print -l universal1.{0,1,2,3,4,5,6} opencl{1.2,2.0,2.1,2.2,3.0,3.1}{,-embedded} vulkan1.{0,1,1spv1.4,2,3,4} ;;
    --target-env) print -l spv1.{0,1,2,3,4,5,6} opencl{1.2,2.0,2.1,2.2,3.0,3.1} vulkan1.{0,1,1spv1.4,2,3,4} ;;
    --device) print -l default list ;;
    --engine) print -l compiled interpreted ;;
    --lane-dim) print -l 1 2 3 ;;
    --width) print -l 1 4 8 16 32 ;;
    --dump) print -l ir lanes llvm asm after: ;;
    --ext) print -l all none ;;
    esac
}

_heddle() {
    local program=${words[1]} command=${words[2]} before=${words[CURRENT - 1]} value
    local -a found

    if ((CURRENT == 2)); then
        found=(${(f)"$(_heddle_commands $program)"} '--help:show help' '--version:show the version')
        _describe command found
        return
    fi
    found=(${(f)"$(_heddle_values $command $before)"})
    if ((${#found})); then
        compadd -a found
        return
    fi
    if [[ ${words[CURRENT]} == -* ]]; then
        found=(${(f)"$(_heddle_options $program $command)"})
        _describe option found
        return
    fi
    [[ $before == -* ]] && value=$(_heddle_value $program $command $before)
    if [[ -n $value ]]; then
        [[ $value == FILE ]] && _files
        return
    fi
    case $command in
    as) _files -g '*.(spvasm|txt|asm)' ;;
    help)
        found=(${(f)"$(_heddle_commands $program)"})
        _describe command found
        ;;
    explain)
        found=(${(f)"$($program explain --list)"})
        compadd -a found
        ;;
    *) _files -g '*.(spv|spvasm|cl)' ;;
    esac
}

if [[ $funcstack[1] == _heddle ]]; then
    _heddle "$@"
else
    compdef _heddle heddle
fi
