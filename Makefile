# Every command of this project. JDK 17 and Maven build it; Python 3.11 runs the benchmark, the DAGs and the notebooks.
MAVEN := mvn --batch-mode --no-transfer-progress
WAREHOUSE := demo-warehouse
DEMO_JAR := examples/target/examples.jar

.PHONY: help build kafka-up kafka-down s3-up s3-down demo reprocessing test test-airflow airflow-venv notebooks-venv delta-jars airflow-graphs test-notebooks notebooks analysts-demo check mutation settlement-cost workload bench bench-check format clean

help: ## Show these commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 18

build: ## Compile, check and assemble, without tests
	@$(MAVEN) --quiet package -DskipTests

kafka-up: build ## A Kafka broker on this machine, at 127.0.0.1:9092; docs/kafka.md goes on from there
	@bin/kafka-local up

kafka-down: ## Stop it
	@bin/kafka-local down

demo: build ## Two weeks of real departures through stream and settlement
	@TIDEMARK_MAIN=io.tidemark.examples.FlightsDemo TIDEMARK_CLASSPATH=$(DEMO_JAR) \
	  bin/tidemark examples/flights $(WAREHOUSE)

reprocessing: build ## A measure is mended beside the live tables, compared, promoted and taken back
	@examples/reprocessing/story.sh

s3-up: build ## An S3 server on this machine, to try a warehouse on s3a://; says how to use it
	@local-s3/server.sh up

s3-down: ## Stop it; its objects stay
	@local-s3/server.sh down

test: ## All tests, Java and Python
	$(MAVEN) verify
	python3 -m unittest discover -s examples/flights
	PYTHONPATH=bench python3 -m unittest discover -s bench/harness -t bench
	$(MAKE) test-airflow test-notebooks

test-airflow: delta-jars airflow-venv notebooks-venv ## The DAGs: structure, and real runs through spark-submit
	.venv/airflow/bin/python -m pytest -q airflow-dags/tests

airflow-venv: ## Airflow with its Spark provider, into .venv/airflow
	@bin/python-environment airflow airflow-dags/requirements.txt

notebooks-venv: ## Spark's distribution and what the notebooks need, into .venv/notebooks
	@bin/python-environment notebooks notebooks/requirements.txt

delta-jars: build ## Delta's jars for spark-submit, into cli/target/delta-jars
	@mkdir -p cli/target/delta-jars
	@tr ':' '\n' < cli/target/provided.classpath \
	  | grep -E '/(io/delta|io/unitycatalog|jackson-datatype-jdk8|javax/annotation)/' \
	  | xargs cp -u -t cli/target/delta-jars

test-notebooks: delta-jars notebooks-venv ## The notebooks, run from top to bottom on a warehouse made for them
	.venv/notebooks/bin/python -m pytest -q notebooks/tests

analysts-demo: build ## A small warehouse to look at with the notebooks: settled days and a candidate
	rm -rf analysts-demo && mkdir analysts-demo
	@TIDEMARK_MAIN=io.tidemark.examples.AnalystsDemo TIDEMARK_CLASSPATH=$(DEMO_JAR) \
	  bin/tidemark examples/flights analysts-demo

notebooks: analysts-demo delta-jars notebooks-venv ## Run the notebooks and the analysts' queries on it, and write their pages anew
	.venv/notebooks/bin/python notebooks/render.py analysts-demo docs/notebooks
	.venv/notebooks/bin/python notebooks/answers.py analysts-demo docs/for-analysts.md

airflow-graphs: airflow-venv ## Draw the DAGs' graphs in airflow-dags/README.md anew
	PYTHONPATH=airflow-dags/plugins .venv/airflow/bin/python -m tidemark_airflow graphs airflow-dags/README.md

check: ## Formatting, warnings, and the tests that need no Spark
	$(MAVEN) test -Dexcluded.tags=spark -Dsurefire.failIfNoSpecifiedTests=false

mutation: ## Switch safeguards off one by one; a test must fail each time
	python3 tests/mutation/mutation.py

settlement-cost: ## What late events cost to settle, beside a full recount
	$(MAVEN) --quiet test -pl tests -am -Dtest=SettlementCostTest -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtidemark.cost.events-per-day=20000

SIZE := S
bench: build ## What stream and recount cost beside others, each compared with the exact result; SIZE=S or M, ONLY='B2 B3'
	PYTHONPATH=bench python3 -m harness run $(SIZE) bench-data docs/benchmarks $(ONLY)

bench-check: ## Exit 3 where a ratio is worse: BEFORE=old.json AFTER=new.json
	PYTHONPATH=bench python3 -m harness check $(BEFORE) $(AFTER)

workload: build ## Events to measure with, and what is exact about them; SIZE=S, M or L
	java -cp bench/target/bench.jar io.tidemark.bench.workload.MakeWorkload day $(SIZE) bench-data/$(SIZE)

format: ## Format the code
	$(MAVEN) --quiet spotless:apply

clean: ## Remove what was built, and the demo's warehouse
	$(MAVEN) --quiet clean
	rm -rf $(WAREHOUSE) reprocessing-warehouse analysts-demo bench-data local-s3-data
