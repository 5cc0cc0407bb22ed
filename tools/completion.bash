# tools/completion.bash -- completion of the heddle command for bash.
#
# Commands, options and which of these take a value are asked from heddle itself (heddle --help,
# heddle COMMAND --help), so they always fit the version that is installed. Names of environments
# are listed here; a test checks that heddle knows each. Installed as share/bash-completion/completions/heddle.
#
# SPDX-License-Identifier: MIT

_heddle_commands()
{
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

_heddle_options()
{
    "$1" "$2" --help 2>/dev/null | sed -nE 's/^  (-[^ ]+(, -[^ ]+)*).*/\1/p' | tr ',' ' '
}

# What the help calls the value of an option, as "FILE"; nothing if it takes none.
_heddle_value()
{
    "$1" "$2" --help 2>/dev/null | sed -nE "s/^  $3 ([^ -][^ ]*).*/\1/p"
}

_heddle_envs()
{
    local v
    case $1 in
    as) echo spv1.{0,1,2,3,4,5,6} opencl{1.2,2.0,2.1,2.2,3.0,3.1} vulkan1.{0,1,1spv1.4,2,3,4} ;;
    *)
        echo universal1.{0,1,2,3,4,5,6}
        for v in 1.2 2.0 2.1 2.2 3.0 3.1; do
            echo "opencl$v" "opencl$v-embedded"
        done
        echo vulkan1.{0,1,1spv1.4,2,3,4}
        ;;
    esac
}

# _heddle_files PATTERN: files that end so (an extended glob), and folders.
_heddle_files()
{
    local file
    while IFS= read -r file; do
        if [[ -d $file || $file =~ \.($1)$ ]]; then
            COMPREPLY+=("$file")
        fi
    done < <(compgen -f -- "$word")
}

_heddle()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} value

    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_heddle_commands "$program") --help --version" -- "$word")
        return
    fi
    # bash splits at "=": --env=NAME arrives as three words.
    [[ $word == = ]] && word='' && before=${COMP_WORDS[COMP_CWORD - 1]}
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    case $before in
    --env | --target-env)
        mapfile -t COMPREPLY < <(compgen -W "$(_heddle_envs "$command")" -- "$word") ;;
    --device) mapfile -t COMPREPLY < <(compgen -W 'default list' -- "$word") ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W 'compiled interpreted' -- "$word") ;;
    --lane-dim) mapfile -t COMPREPLY < <(compgen -W '1 2 3' -- "$word") ;;
    --width) mapfile -t COMPREPLY < <(compgen -W '1 4 8 16 32' -- "$word") ;;
    --dump) mapfile -t COMPREPLY < <(compgen -W 'ir lanes llvm asm after:' -- "$word") ;;
    --ext) mapfile -t COMPREPLY < <(compgen -W 'all none' -- "$word") ;;
    *)
        if [[ $before == -* ]]; then
            value=$(_heddle_value "$program" "$command" "$before")
            if [[ $value == FILE ]]; then
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            [[ -n $value ]] && return
        fi
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_heddle_options "$program" "$command")" -- "$word")
            return
        fi
        case $command in
        as) _heddle_files 'spvasm|txt|asm' ;;
        help) mapfile -t COMPREPLY < <(compgen -W "$(_heddle_commands "$program")" -- "$word") ;;
        explain) mapfile -t COMPREPLY < <(compgen -W "$("$program" explain --list)" -- "$word") ;;
        *) _heddle_files 'spv|spvasm|cl' ;;
        esac
        ;;
    esac
}

complete -o filenames -F _heddle heddle
