"""A Spark session with a pipeline's views, and the verbs of tidemark that only read."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile

from pyspark.sql import DataFrame, SparkSession

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent / "cli/target"


# Verbs that change nothing, not even a note of what was compared.
READING = frozenset({"sql", "status", "lateness", "explain", "verify"})


class TidemarkError(Exception):
    """What is wrong, and what to do."""


class Pipeline:
    """
    A pipeline to look at: its views are in the session.

    :param file: the pipeline file
    :param warehouse: root of the tables
    """

    def __init__(self, file: str, warehouse: str) -> None:
        self.file = str(pathlib.Path(file).resolve())
        self.warehouse = str(pathlib.Path(warehouse).resolve())
        self.name = _name(pathlib.Path(self.file))
        self.spark = _session()
        # The verb makes the views in the session of its process, which is this one.
        self.verb("sql", "SELECT 1")

    def sql(self, query: str) -> DataFrame:
        return self.spark.sql(query)

    def table(self, name: str) -> str:
        """A table of the live generation, as SQL names it: for stored sketches and old versions, which no view shows."""
        (live,) = self.sql(f"SELECT generation FROM {self.name}_progress").first()
        return f"delta.`{self.warehouse}/{self.name}/{live}/{name}`"

    def verb(self, name: str, *words: str) -> dict:
        """
        The result of a verb, as its --result file says it; exit 3, the data says no, is a result too.

        :raises TidemarkError: where it has none
        """
        if name not in READING:
            raise TidemarkError(f"A notebook only looks: tidemark {name} may write. Use bin/tidemark.")
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "result.json"
            said = [name, self.file, *words, "--warehouse", self.warehouse, "--result", str(result)]
            gateway = self.spark.sparkContext._gateway
            array = gateway.new_array(gateway.jvm.String, len(said))
            for place, word in enumerate(said):
                array[place] = word
            code = gateway.jvm.io.tidemark.cli.Tidemark.run(array)
            data = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}
        if code not in (0, 3):
            raise TidemarkError(data.get("error", f"tidemark {name} was wrongly called (exit {code})"))
        return data


def _name(file: pathlib.Path) -> str:
    if not file.exists():
        raise TidemarkError(f"There is no pipeline file {file}: mend the parameter. 'make analysts-demo' makes one.")
    found = re.search(r"^pipeline:\s*['\"]?([a-z][a-z0-9_]*)", file.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise TidemarkError(f"{file} names no pipeline: 'tidemark validate' says what is wrong.")
    return found[1]


def _session() -> SparkSession:
    jars = [pathlib.Path(os.environ.get("TIDEMARK_JAR", BUILT / "tidemark-assembled.jar"))]
    if "TIDEMARK_DELTA_JARS" in os.environ:
        jars += [pathlib.Path(jar) for jar in os.environ["TIDEMARK_DELTA_JARS"].split(",")]
    else:
        jars += sorted((BUILT / "delta-jars").glob("*.jar"))
    if len(jars) < 2 or not all(jar.exists() for jar in jars):
        raise TidemarkError(
            "Tidemark's jar or Delta's are not there: run 'make delta-jars', or name them in the environment,"
            " TIDEMARK_JAR and TIDEMARK_DELTA_JARS."
        )
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return (
        SparkSession.builder.appName("tidemark notebook")
        .config("spark.jars", ",".join(map(str, jars)))
        .config("spark.log.level", "ERROR")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.delta.logStore.file.impl", "io.tidemark.delta.HardLinkLogStore")
        .config("spark.sql.legacy.parameterSubstitution.constantsOnly", "true")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .getOrCreate()
    )
