#!/usr/bin/env python3
"""The corpus tables on Ray: one task a file (`corpus map`), then one `corpus reduce`.

    pip install ray
    python src/cli/corpus-ray.py runs/ --out tables/ [--encoder minilm] [--address auto]

Without --address Ray runs on this machine. A task returns its part (a few kilobytes of JSON), so that nodes need the
runs and this checkout (or an installed `contextscope`), but share no output folder. The tables are those of
`npm run -s cli -- corpus runs/`, byte for byte; only the list of files that are no runs is printed here instead.
"""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import ray

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
NOT_A_RUN = 3


@ray.remote(num_cpus=1, max_retries=2)
def map_file(command, path, name, options):
    """The part of one file as text; None where the file is in no known format."""
    done = subprocess.run([*command, "corpus", "map", path, "--name", name, *options], capture_output=True, text=True, encoding="utf-8", cwd=CHECKOUT)
    if done.returncode == NOT_A_RUN:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"{name}: {done.stderr.strip()}")
    return done.stdout


def files_in(root):
    """Every file below, by its path there; hidden ones and node_modules left out, as `corpus` does."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "node_modules")
        for name in sorted(names):
            if not name.startswith("."):
                path = pathlib.Path(folder, name)
                yield str(path), path.relative_to(root).as_posix()


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("runs", type=pathlib.Path)
    args.add_argument("--out", required=True, type=pathlib.Path)
    args.add_argument("--encoder", default="static")
    args.add_argument("--seed", default="0")
    args.add_argument("--tables", default="all")
    args.add_argument("--address", help="of a Ray cluster; 'auto' = the one this machine belongs to")
    args.add_argument("--cli", default=os.environ.get("CONTEXTSCOPE_CLI", "npx tsx src/cli/main.ts"), help="how to start the command line")
    args = args.parse_args()

    ray.init(address=args.address, include_dashboard=False, log_to_driver=False, logging_level="error")
    command = shlex.split(args.cli)
    options = ["--encoder", args.encoder, "--seed", args.seed, "--tables", args.tables]
    waiting = {map_file.remote(command, path, name, options): name for path, name in files_in(args.runs.resolve())}
    total, failed = len(waiting), 0
    with tempfile.TemporaryDirectory() as folder:
        parts = pathlib.Path(folder)
        while waiting:
            [done], _ = ray.wait(list(waiting), num_returns=1)
            name = waiting.pop(done)
            try:
                part = ray.get(done)
            except Exception as error:  # one file must not stop the others
                failed += 1
                print(f"{name}: {error}", file=sys.stderr)
                continue
            if part is None:
                print(f"{name} is no run in a known format.", file=sys.stderr)
            else:
                (parts / f"{total - len(waiting)}.json").write_text(part, encoding="utf-8")
        reduced = subprocess.run([*command, "corpus", "reduce", str(parts), "--out", str(args.out.resolve())], cwd=CHECKOUT)
    sys.exit(reduced.returncode or (1 if failed else 0))


if __name__ == "__main__":
    main()
