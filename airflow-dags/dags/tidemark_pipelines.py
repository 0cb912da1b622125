"""Four DAGs for each pipeline file of the folder TIDEMARK_PIPELINES; a new file needs no Python."""

import os

from tidemark_airflow.deployment import Deployment
from tidemark_airflow.factory import all_dags

globals().update({dag.dag_id: dag for dag in all_dags(Deployment.of(os.environ))})
