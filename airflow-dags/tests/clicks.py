"""A pipeline with data up to half an hour into today (UTC), so that yesterday can be settled."""

import datetime
import json
import os
import subprocess

from conftest import HOME, ROOT

FILE = HOME / "pipelines/clicks.yaml"
TODAY = datetime.datetime.now(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
YESTERDAY = TODAY - datetime.timedelta(days=1)
DEFINITION = """
pipeline: clicks
source: {{ kind: files, path: {landing}, format: json }}
event:
  schema: id STRING, ad STRING, at TIMESTAMP, cost BIGINT
  id: id
  time: at
  arrival: at
window: {{ tumbling: 1h }}
keys: [ad]
measures: {{ cost: {cost} }}
watermark: {{ bound: 10m }}
health: {{ {health} }}
"""


def define(cost="sum(cost)", health="max-lag: 1d"):
    """Writes the pipeline file."""
    FILE.write_text(DEFINITION.format(landing=HOME / "landing", cost=cost, health=health), encoding="utf-8")


def stream():
    """Two days of events, one every ten minutes, and half an hour of today, counted by the stream."""
    define()
    (HOME / "landing").mkdir()
    first = YESTERDAY - datetime.timedelta(days=1)
    times = [first + datetime.timedelta(minutes=10 * number) for number in range(2 * 24 * 6 + 4)]
    lines = (
        json.dumps({"id": f"e-{at:%d-%H-%M}", "ad": "ab"[at.hour % 2], "at": f"{at:%Y-%m-%dT%H:%M:%SZ}", "cost": 7})
        for at in times
    )
    (HOME / "landing/clicks.json").write_text("\n".join(lines), encoding="utf-8")
    tidemark("init")
    tidemark("stream", "--available-now")


def tidemark(verb, *arguments):
    command = [ROOT / "bin/tidemark", verb, FILE, *arguments, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
    return json.loads(done.stdout)
