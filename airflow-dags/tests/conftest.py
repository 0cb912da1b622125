"""An Airflow of its own for these tests: fresh home, SQLite, the plugins and DAGs of this folder."""

import os
import pathlib
import socket
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = pathlib.Path(tempfile.mkdtemp(prefix="tidemark-airflow-"))
PLUGINS = ROOT / "airflow-dags/plugins"
SPARK = ROOT / ".venv/notebooks/lib/python3.11/site-packages/pyspark"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


API_PORT = free_port()
(HOME / "pipelines").mkdir()
(HOME / "warehouse").mkdir()

# Before anything imports Airflow, which reads its settings once.
os.environ.update(
    {
        "AIRFLOW_HOME": str(HOME),
        "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "airflow-dags/dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(PLUGINS),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
        "AIRFLOW__CORE__PARALLELISM": "2",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{API_PORT}/execution/",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
        "AIRFLOW__API_AUTH__JWT_SECRET": "of-these-tests-alone-" * 4,
        "AIRFLOW__API__SECRET_KEY": "of-these-tests-alone",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{HOME}/airflow.db",
        "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "5",
        "AIRFLOW__SCHEDULER__SCHEDULER_HEARTBEAT_SEC": "1",
        "AIRFLOW_CONN_SPARK_DEFAULT": '{"conn_type": "spark", "host": "local[2]", "extra": {"deploy-mode": "client"}}',
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # A short job ends before the optimising compiler pays.
        "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=200m -XX:+UseSerialGC",
        "PATH": f"{SPARK}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(PLUGINS),
        "TIDEMARK_PIPELINES": str(HOME / "pipelines"),
        "TIDEMARK_WAREHOUSE": str(HOME / "warehouse"),
        "TIDEMARK_JAR": str(ROOT / "cli/target/tidemark-assembled.jar"),
        "TIDEMARK_DELTA_JARS": ",".join(map(str, sorted((ROOT / "cli/target/delta-jars").glob("*.jar")))),
    }
)
sys.path.insert(0, str(PLUGINS))
