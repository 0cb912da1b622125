"""Makes the timetable known to the scheduler."""

from airflow.plugins_manager import AirflowPlugin
from tidemark_airflow.timetable import UtcDayTimetable


class TidemarkPlugin(AirflowPlugin):
    name = "tidemark"
    timetables = [UtcDayTimetable]
