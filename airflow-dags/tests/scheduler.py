"""An api-server, a scheduler and a dag-processor as processes, on the loopback interface."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import httpx
from conftest import API_PORT, HOME

URL = f"http://127.0.0.1:{API_PORT}"


class Airflow:
    """What an operator does in the user interface, over the same REST API."""

    def __init__(self):
        self.http = httpx.Client(base_url=URL, timeout=60)

    def log_in(self):
        token = self.http.get("/auth/token").raise_for_status().json()["access_token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def unpause(self, dag):
        wait(lambda: self.http.get(f"/api/v2/dags/{dag}").status_code == 200, f"{dag} is not known")
        self.http.patch(f"/api/v2/dags/{dag}", json={"is_paused": False}).raise_for_status()

    def trigger(self, dag, **parameters):
        self.unpause(dag)
        answer = self.http.post(f"/api/v2/dags/{dag}/dagRuns", json={"logical_date": None, "conf": parameters})
        return answer.raise_for_status().json()["dag_run_id"]

    def runs(self, dag):
        return self.http.get(f"/api/v2/dags/{dag}/dagRuns").raise_for_status().json()["dag_runs"]

    def ended(self, dag):
        """The states of the tasks of the newest run, once it has ended."""
        wait(lambda: (r := self.runs(dag)) and r[-1]["state"] in ("success", "failed"), f"{dag} has not ended")
        return self.states(dag, self.runs(dag)[-1]["dag_run_id"])

    def states(self, dag, run):
        answer = self.http.get(f"/api/v2/dags/{dag}/dagRuns/{run}/taskInstances").raise_for_status().json()
        return {task["task_id"]: task["state"] for task in answer["task_instances"]}

    def result(self, dag, run, task):
        answer = self.http.get(f"/api/v2/dags/{dag}/dagRuns/{run}/taskInstances/{task}/xcomEntries/return_value")
        return answer.raise_for_status().json()["value"]

    def events(self):
        return self.http.get("/api/v2/assets/events").raise_for_status().json()["asset_events"]

    def answer(self, dag, run, task, option):
        place = f"/api/v2/dags/{dag}/dagRuns/{run}/taskInstances/{task}"
        wait(lambda: self.states(dag, run).get(task) == "awaiting_input", f"{task} of {dag} does not ask")
        asked = self.http.get(f"{place}/-1/hitlDetails").raise_for_status().json()
        self.http.patch(f"{place}/-1/hitlDetails", json={"chosen_options": [option]}).raise_for_status()
        return asked


def wait(condition, otherwise, seconds=240):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{otherwise}, after {seconds} s")
        time.sleep(0.5)


@contextlib.contextmanager
def running():
    airflow = Airflow()
    with contextlib.ExitStack() as processes:
        server = ("api-server", "--host", "127.0.0.1", "--port", str(API_PORT), "--workers", "1")
        processes.enter_context(_process(*server))
        wait(lambda: _healthy(airflow.http), "the api-server is not healthy")
        airflow.log_in()
        processes.enter_context(_process("scheduler"))
        processes.enter_context(_process("dag-processor"))
        yield airflow


@contextlib.contextmanager
def _process(*command):
    with open(HOME / f"{command[0]}.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "airflow", *command],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ,
            start_new_session=True,
        )
        try:
            yield
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            # What it has started is in its group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _healthy(http):
    try:
        return http.get("/api/v2/monitor/health").status_code == 200
    except httpx.TransportError:
        return False
