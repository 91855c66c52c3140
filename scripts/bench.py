"""What things cost, beside what they should cost. Needs the environment: `.venv/bin/python scripts/bench.py --help`."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path

from _bench import crypto, engine, games, network, protocol, startup
from _bench.measure import Row, Units

SECTIONS: dict[str, Callable[[Units], list[Row]]] = {
    "crypto": crypto.measure,
    "setup": protocol.setup,
    "turn": protocol.turn,
    "verify": protocol.third_party,
    "games": games.games,
    "claims": engine.claims,
    "startup": startup.measure,
    "network": network.measure,
}


def table(title: str, rows: list[Row]) -> str:
    """A section as text: figure, unit, goal and verdict in columns."""
    wide = max([len(row.name) for row in rows])
    lines = [title]
    for row in rows:
        goal = f"{row.goal.text():24} {row.goal.verdict(row.figure)}" if row.goal else ""
        note = f"  ({row.note})" if row.note else ""
        lines.append(f"  {row.name:{wide}}  {_figure(row.figure):>10} {row.unit:6} {goal}{note}".rstrip())
    return "\n".join(lines)


def _figure(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}" if value >= 20 else f"{value:,.2f}"


def unit_rows(units: Units) -> list[Row]:
    """The library calls in microseconds, over the whole run, and in SM."""
    costs = units.costs()
    return [
        Row(name, cost * 1e6, "us", None, f"{cost / costs['mul']:.3f} SM, {len(units.samples[name])} samples")
        for name, cost in costs.items()
    ]


def as_json(sections: dict[str, list[Row]]) -> str:
    """One object: the machine, and per section a list of rows."""
    found: dict[str, object] = {
        "version": 1,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    for name, rows in sections.items():
        found[name] = [
            {
                "name": row.name,
                "figure": row.figure,
                "unit": row.unit,
                "goal": row.goal.text() if row.goal else None,
                "verdict": row.goal.verdict(row.figure) if row.goal else None,
                "note": row.note,
            }
            for row in rows
        ]
    return json.dumps(found, indent=1)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the game costs (SM: one scalar multiplication).")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--against", type=Path, metavar="DIR", help="base games beside those of another checkout")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no such section: {unknown[0]} (there are {', '.join(SECTIONS)})")
    units = Units()
    found: dict[str, list[Row]] = {}
    for name in chosen.sections or SECTIONS:
        found[name] = SECTIONS[name](units)
        if not chosen.json:
            print(table(name, found[name]), flush=True)
    if chosen.against is not None:
        found["against"] = games.against(chosen.against)
        if not chosen.json:
            print(table("against", found["against"]), flush=True)
    while len(units.samples["mul"]) < 9:
        units.sample()
    found["units"] = unit_rows(units)
    print(as_json(found) if chosen.json else table("units (bare library calls, CPU time)", found["units"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
