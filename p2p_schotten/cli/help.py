"""The help texts, written by hand; each ends in an example. A test holds them against the options that exist."""

from __future__ import annotations

from collections.abc import Mapping

from p2p_schotten.ui.text import _

OVERVIEW = """\
schotten: Schotten Totten between two peers in the terminal. No server,
no trust, and a transcript that anybody can verify.

  play              a game against a built-in opponent (a real second peer)
  host              wait for a friend: prints an invite
  join INVITE       sit down at a friend's game
  resume [GAME]     go on after a crash, a cut or a closed lid

  games             the games in my home folder
  verify FILE...    is this transcript valid, and who won?
  replay FILE       step through a game
  export FILE       a transcript as text, JSON or msgpack

  judge [FILE]      may this stone be claimed? JSON lines in and out
  arena BOT BOT     many games between bots: who is better, how sure is it
  bots              the players that are programs
  rules [R]         the rules on one screen
  keys              my fingerprint, and the players I know
  doctor            what a bug report needs

`schotten COMMAND --help` says more; `schotten --version` which one this is.
Example: schotten play
"""

FRONT = """\
  --plain           sentences and numbered choices, no drawing
  --json            one event per line as JSON (docs/json.md)
  --ascii           draw with ASCII only
"""

_BOT = """\
  --me BOT          a bot holds my seat (see `schotten bots`); with --json
                    nothing is asked and no terminal needed
  --seed N          the same seed makes a bot choose the same way again
"""

ME = f"""\
{_BOT}\
  --forfeit         when my bot stops (a crash, an illegal move, silence) it
                    gives the game up; else the game stands unfinished, and
                    `schotten resume` goes on with it, also with another bot
"""

ME_STILL = f"""\
{_BOT}\
  --forfeit         when my bot stops it gives the game up. A game that was
                    begun with --forfeit remembers it; --no-forfeit ends that
"""

WAIT = """\
  --wait SECONDS    how long to look for the other player after the connection
                    is gone (default: for ever at a terminal, else 60)
"""

TERMS = """\
  --rules R         which rules (default: base; see `schotten rules`)
  --set FLAG=VALUE  what the ruleset leaves open, as return_to=top; can be
                    given several times
  --role ROLE       in a siege: attack, defend, or coin (default: coin)
  --match N         a match of N games; in a siege 2, each attacks once
  --to POINTS       a match to that many points
  --clock SECONDS   a turn may last that long; who is away longer can lose by
                    absence, which is recorded and not proved (default: none)
"""

HELP: Mapping[str, str] = {
    "play": f"""\
schotten play [OPTIONS]

Play a game against a built-in opponent. It is a second peer in its own
process: same protocol, same proofs, and it sees no card that you would not
show a stranger. Both transcripts are kept; their paths are printed at the end.

  --opponent BOT    who plays against you: easy, normal (the default), hard,
                    or any other bot (see `schotten bots`)
{TERMS}\
  --name NAME       how the transcript calls me (default: my account's name)
{ME}{FRONT}
At any prompt `?` lists what you can type.

Example: schotten play --opponent easy
""",
    "host": f"""\
schotten host [OPTIONS]

Wait for a friend. Prints one invite, a single word, for you to hand over by
any way you trust; the friend types `schotten join` and that word.

  --port N          listen on this TCP port (default: any free one)
  --bind ADDRESS    listen on this address only (default: all)
  --address HOST    put HOST into the invite too: a name or an address that
                    leads here from the internet (HOST:PORT when your router
                    forwards another port); can be given several times
  --invited         take nobody without the invite: `schotten join HOST:PORT`
                    is turned away
{TERMS}\
  --name NAME       what the friend will call me (default: my account's name)
{ME}{WAIT}{FRONT}
Example: schotten host --port 7777 --address my-house.example.org
""",
    "join": f"""\
schotten join [OPTIONS] INVITE

Sit down at a friend's game. INVITE is the word that `schotten host` printed,
or HOST:PORT (then compare the fingerprint aloud), or - to read it from
standard input. Blanks and line breaks inside an invite mean nothing.

  --yes             accept the offered rules without being asked
  --trust           accept an unknown key at HOST:PORT without being asked
  --name NAME       what the friend will call me (default: my account's name)
{ME}{WAIT}{FRONT}
Example: schotten join SCHOTTEN1:...
""",
    "resume": f"""\
schotten resume [OPTIONS] [GAME]

Go on with a game that stands unfinished: the one, or GAME, the id that
`schotten games` shows (its first digits are enough). The other player types
`schotten resume` too, or has not left. No new invite is needed; both look for
each other where they were, and the seat is held as before.

  --port N          listen on this TCP port (default: the one as before)
  --address HOST:PORT
                    where the other player can be found now, if neither of you
                    is where he was; can be given several times
  --without-mark    go on although it is not known what this seat has signed;
                    with an older copy of the game that can make you look
                    like a cheat
  --opponent BOT    in a game that `schotten play` began: another bot plays on
                    against me
{ME_STILL}{WAIT}{FRONT}
Example: schotten resume 6a42ad6d
""",
    "games": """\
schotten games

The games in my home folder, one line each, the latest last: when, which, by
what rules, how it ended, my points and the other's, and for a game of a match
its number, how the match stood after it, and what it goes to. "absent": a
win by absence, which was recorded and not proved. A player is called as he
called himself then, behind the name that I gave him (`schotten keys name`).

Example: schotten games
""",
    "verify": """\
schotten verify [OPTIONS] FILE...

Check every signature, proof and move of a transcript. One line per file;
folders are searched for *.schotten; - is standard input. FILE may also be the
id of a game as `schotten games` shows it. Status 0 only if every file holds a
game that is over and valid. A win by absence that lies beside a file is told
too: it is the word of one seat, and no proof.

  --allow-unfinished  a valid game that is not over counts as well
  --json              one JSON object per file

Example: schotten verify games/
""",
    "replay": """\
schotten replay [OPTIONS] FILE

Step through a game. On a terminal: Enter goes on, b back, a number jumps to
that move, h shows both hands (where they were revealed), q leaves. Off a
terminal all steps are printed. FILE may also be the id of a game.

  --plain           sentences, no drawing
  --ascii           draw with ASCII only

Example: schotten replay 0.schotten
""",
    "export": """\
schotten export [OPTIONS] FILE

Write a transcript in another form to standard output. FILE may also be the id
of a game as `schotten games` shows it.

  --format FORM     text, json or msgpack (default: text)

Example: schotten export 0.schotten --format json
""",
    "judge": """\
schotten judge [FILE]

The referee. Reads positions of one stone as JSON lines from FILE or standard
input, and answers each with a line: may the owner of `mine` claim it now, why,
and when not, which cards beat it. A line that cannot be read is answered with
`error`, and the status is then 1.

  mine, theirs      the cards on the two sides, wild ones too: JOK SPY SHB,
                    in Battle Line ALX DAR CAV SHD
  first             mine was complete first; true while theirs is incomplete
  played            every numbered card that lies face up, both sides included
  variant           st1 (Schotten Totten, the default), bl (Battle Line) or
                    st2 (the siege)
  mud, fog          st1, bl: true when that mode lies on the stone
  pattern, length   st2: what the tile asks for (_ any formation, + highest
                    sum, - lowest sum, c colour, r run, = same strength), and
                    cards per side
  colour_run_bonus  st2: true when a colour run beats a colour and a run
  id                a name for the line, given back with its answer

Example: echo '{"mine": ["R7", "R8", "R9"], "theirs": []}' | schotten judge
""",
    "arena": """\
schotten arena [OPTIONS] BOT BOT...

Let bots play many games without a network, and say how sure it is who is
better. Games come in pairs: the same deal twice, with the seats swapped. The
same seed gives the same games, however many processes play them. More than
two bots: each plays each, and there is a cross table. See `schotten bots` for
what a BOT is, and docs/arena.md.

  --pairs N         pairs of games for every two bots (default: 100)
  --rules R         which rules (default: base; see `schotten rules`)
  --set FLAG=VALUE  what the ruleset leaves open, as return_to=top; can be
                    given several times
  --seed N          of the deals and of the bots' chance (default: 1)
  --jobs N          so many processes (default: one per processor)
  --executor dask:ADDRESS
                    the workers of a dask scheduler play, as
                    dask:tcp://10.0.0.5:8786
  --sprt ELO0,ELO1  stop as soon as it is clear (5 % errors) whether the first
                    bot is ELO0 points better or less, or ELO1 or more
  --out FILE        write one JSON line per game to a new file
  --resume          go on with that file, or begin it where it is not there
  --log FILE        the standard error of bots that are programs, and the
                    tracebacks of classes
  --sealed          through the whole protocol, with all proofs: seconds for a
                    game. The players shuffle: pairs do not share their deal
  --keep FOLDER     the transcripts of a sealed match
  --plain           no bar, only lines
  --json            the result as one JSON object

Example: schotten arena greedy uniform --pairs 500 --out games.jsonl
""",
    "bots": """\
schotten bots [OPTIONS]

The players that are programs: those built in, and those that installed
packages offer. Wherever a command takes a BOT, it takes one of these names,
module:Class (a Python class, also in the current folder), or cmd:PROGRAM with
its arguments (any language; it speaks JSON lines). Options follow with commas:
greedy, mybot:MyBot,depth=3 or "cmd,limit=30:./mybot --flag", where limit is
the seconds that an answer may take. docs/bots.md says how to write one.

  --schema          the messages of cmd:PROGRAM as JSON Schema
  --check BOT       let it play two games by each ruleset against a bot that
                    plays by chance, and say what it did wrong
  --rules R         check it by these rules only; can be given several times

Example: schotten bots --check "cmd:python3 examples/python_bot.py"
""",
    "rules": """\
schotten rules [R] [cards | flags | CARD]

The rules of a ruleset on one screen, with the table of formations; its tactic
cards, its flags, or what one card does. R is a ruleset, or `list` for all.

Example: schotten rules tactic cards
""",
    "keys": """\
schotten keys [COMMAND]

Without a command: my fingerprint, to be read aloud to a friend.

  list              the players I have met
  name KEY NAME     call a player NAME
  forget KEY        forget a player

KEY is the beginning of a fingerprint, or a name.

Example: schotten keys list
""",
    "doctor": """\
schotten doctor

What a bug report needs: versions, terminal, colours, encoding, addresses,
directories and the self-test of the cryptography. Shows no secret.

Example: schotten doctor
""",
}


def overview() -> str:
    """What `schotten --help` prints."""
    return _(OVERVIEW).strip()
