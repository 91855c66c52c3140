"""One target under atheris, which looks for inputs that reach lines no input reached before.

    python -m tests.fuzz.guided TARGET COUNT SEED FOLDER    from the folder of the project; needs the extra `fuzz`

Its own changes and ours take turns. What reached something new is kept in FOLDER. Ends with status 0 after COUNT
inputs; an exception that escapes ends it with another, and the input stands in FOLDER under the name that is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["p2p_schotten"]):
    from tests.fuzz.mutate import MOST_BYTES, mutated
    from tests.fuzz.run import file_name
    from tests.fuzz.targets import BY_NAME

OURS = 2  # of how many inputs one is changed in our way, which knows msgpack, JSON and words


def main() -> None:
    """Runs until the count is reached; libFuzzer ends the process."""
    name, count, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    target, seeds = BY_NAME[name], BY_NAME[name].all_seeds()
    for data in seeds:
        (folder / file_name(data)).write_bytes(data)

    def change(data: bytes, most: int, number: int) -> bytes:
        random = Random(number)
        if random.randrange(OURS):
            changed: bytes = atheris.Mutate(data, most)
            return changed
        return mutated(random, target.shape, (data, random.choice(seeds)), target.words)[:most]

    def run(data: bytes) -> None:
        target.run(data)

    options = [f"-runs={count}", f"-seed={seed}", f"-max_len={MOST_BYTES}", "-len_control=0", "-print_final_stats=1"]
    options.append(f"-artifact_prefix={folder}/escaped-")
    atheris.Setup([sys.argv[0], *options, str(folder)], run, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
