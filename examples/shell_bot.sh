#!/bin/sh
# A bot for Schotten Totten in plain POSIX sh, without any tool: it claims what it can, and else plays the highest card
# of three moves that it picks by chance. docs/bots.md describes the messages; they are written exactly as shown there,
# and `legal` stands last in its line, so that no JSON parser is needed.
# Try it: schotten play --opponent "cmd:sh examples/shell_bot.sh"

dice=1

roll() { # sets `rolled` to a number from 0 to $1 - 1
    dice=$(((dice * 75 + 74) % 65537))
    rolled=$((dice % $1))
}

choose() { # sets `chosen` to the first claim among the moves $1, else to the best of three by chance
    IFS=,
    set -f
    set -- $1
    unset IFS
    set +f
    chosen=
    for move; do
        move=${move# }
        case $move in
        '"claim '*) chosen=$move && return ;;
        esac
    done
    best=-1
    for _ in 1 2 3; do
        roll $#
        eval "move=\${$((rolled + 1))}"
        move=${move# }
        worth=0
        case $move in
        '"play '?[0-9]*' '*)
            card=${move#'"play '}
            card=${card%% *}
            worth=${card#?} # the value of the card, without its colour
            ;;
        esac
        if [ "$worth" -gt "$best" ]; then
            best=$worth chosen=$move
        fi
    done
}

while read -r line; do
    case $line in
    '{"type": "hello"'*) echo '{"type": "hello", "version": 1, "name": "shell"}' ;;
    '{"type": "newgame"'*)
        seed=${line#*'"seed": '}
        dice=$((${seed%%[!0-9]*} % 65537))
        ;;
    '{"type": "act"'*)
        legal=${line##*'"legal": ['}
        choose "${legal%']}'}"
        echo "{\"type\": \"move\", \"move\": $chosen}"
        ;;
    '{"type": "quit"'*) exit 0 ;;
    esac
done
