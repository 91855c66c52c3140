#!/usr/bin/env python3
"""A match between two bots on two machines, over the network (docs/headless.md says what happens underneath).

On the one:    .venv/bin/python examples/tournament.py host greedy --match 5 --port 7777
On the other:  .venv/bin/python examples/tournament.py join SCHOTTEN1:... easy

What stands behind the bot goes to `schotten host` or `schotten join` as it is. A bot that fails loses that game; a
match that is cut off is gone on with. The exit status is that of the last command: 0 when the match is over.
"""

import json
import subprocess
import sys
import time

SCHOTTEN = [sys.executable, "-m", "p2p_schotten"]
UNFINISHED = 4  # the status of a game, or a match, that stands and can be gone on with
TRIES = 20
PAUSE = 5  # seconds before the next one


class Match:
    """What the events of one side say."""

    def __init__(self):
        self.game, self.names, self.wins, self.points = "", ["host", "guest"], [0, 0], [0, 0]  # by seat

    def run(self, *command):
        """One command to its end, event by event; the status."""
        with subprocess.Popen([*SCHOTTEN, *command, "--json"], stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                event = json.loads(line)
                getattr(self, f"on_{event['event']}", lambda event: None)(event)  # the others are passed over
        return process.returncode

    def on_invite(self, event):
        print(f"invite: {event['invite']}", flush=True)

    def on_met(self, event):
        self.game = event["game"]

    def on_seated(self, event):
        self.names = event["names"]

    def on_fault(self, event):
        print(f"{self.names[event['seat']]}: {event['fault']}: {event['why']}", flush=True)

    def on_ended(self, event):
        if event["winner"] is not None:
            self.wins[event["winner"]] += 1
        for seat, points in enumerate(event["points"]):
            self.points[seat] += points
        print(f"{self.result()} ({event['reason']})", flush=True)

    def result(self):
        """The games won and the points, so far."""
        return "; ".join(f"{self.names[seat]} {self.wins[seat]} won, {self.points[seat]} points" for seat in (0, 1))


def main(role, *words):
    target, bot, *options = words if role == "join" else ("", *words)
    seat = ["--me", bot, "--forfeit"]
    match = Match()
    status = match.run(role, *([target] if target else []), *seat, *options)
    for _ in range(TRIES):
        if status != UNFINISHED:
            break
        time.sleep(PAUSE)
        status = match.run("resume", match.game, *seat)
    if status == 0:
        print(f"over: {match.result()}")
    return status


if __name__ == "__main__":
    if {"--help", "-h"} & set(sys.argv):
        print(__doc__)
        sys.exit()
    if len(sys.argv) < (4 if sys.argv[1:2] == ["join"] else 3) or sys.argv[1] not in ("host", "join"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
