"""What happens where nothing else is configured when a run misses its deadline."""

import logging
from typing import Any

log = logging.getLogger(__name__)


def log_missed_deadline(pipeline: str, deadline: str, context: dict[str, Any]) -> None:
    """An error in the log. TIDEMARK_ALERT names a function to be called instead, with the same arguments."""
    log.error(
        "Pipeline %s is not settled %s after its run was queued: see run %s.",
        pipeline,
        deadline,
        context["dag_run"]["dag_run_id"],
    )
