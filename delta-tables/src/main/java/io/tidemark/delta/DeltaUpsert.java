package io.tidemark.delta;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.CommitLabel.Writers;
import io.tidemark.tables.ObservedMetrics;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.Upsert;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.ConstantFolding$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.Dataset$;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An upsert in one pass over the files that may hold its rows, where MERGE takes two and plans each
 * several times: the files are read, joined with the rows' identities, and written anew. By Delta's
 * own transaction, which finds conflicts, checks constraints and collects statistics as in a MERGE.
 *
 * <p>Where finished rows have become many they are written to files of their own. Statistics keep
 * later upserts away from these, so that what is copied does not grow with a partition.
 */
final class DeltaUpsert {

  /** Fewer finished rows are not worth a file. */
  private static final long KEEP_APART_FROM = 200_000;

  /** More are joined by a shuffle. */
  private static final long BROADCAST_UP_TO = 500_000;

  private static final String MATCHED = "_tidemark_matched";
  private static final String PROTECTED = "protected";
  private static final String FINISHED = "finished";
  private static final String UNFINISHED = "unfinished";

  /** Of tables whose last upsert copied many finished rows. */
  private final Map<TablePath, Boolean> manyFinished = new ConcurrentHashMap<>();

  /** What became of the rows. */
  enum Outcome {
    /** They are committed, now or under the same label before. */
    DONE,
    /** The place of some row is taken by a protected one: nothing was done. */
    MEETS_PROTECTED_ROWS
  }

  /**
   * Runs it.
   *
   * @param rows with the table's columns, one for each identity
   */
  Outcome run(TablePath table, Upsert upsert, Dataset<Row> rows, CommitLabel label) {
    SparkSession session = rows.sparkSession();
    DeltaLog log = DeltaLog.forTable(session, table.value());
    OptimisticTransaction transaction = log.startTransaction(Option.empty(), Option.empty());
    List<Action> actions = new ArrayList<>();
    if (label.writers() == Writers.SEVERAL) {
      if (transaction.txnVersion(label.application()) >= label.version()) {
        return Outcome.DONE;
      }
      actions.add(
          new SetTransaction(
              label.application(), label.version(), Option.apply(System.currentTimeMillis())));
    }
    StructType schema = transaction.metadata().schema();
    Seq<AddFile> files = transaction.filterFiles(conjuncts(session, schema, upsert.scope()), false);
    Dataset<Row> written = inOrder(rows, schema);
    Observation observation = new Observation();
    if (!files.isEmpty()) {
      Dataset<Row> target =
          in(session, log.createDataFrame(transaction.snapshot(), files, false, Option.empty()));
      Dataset<Row> kept = kept(target, upsert, rows, observation, schema);
      written =
          manyFinished.getOrDefault(table, false)
              ? kept.filter(not(finished(upsert)))
                  .unionAll(written)
                  .unionAll(kept.filter(finished(upsert)))
              : kept.unionAll(written);
    }
    CollectionConverters.asJava(transaction.writeFiles(written)).forEach(actions::add);
    if (!files.isEmpty()) {
      ObservedMetrics observed = ObservedMetrics.await(observation, "written");
      if (observed.number(PROTECTED) > 0) {
        return Outcome.MEETS_PROTECTED_ROWS;
      }
      long finished = observed.number(FINISHED);
      manyFinished.put(
          table, finished >= KEEP_APART_FROM && finished >= observed.number(UNFINISHED));
      CollectionConverters.asJava(files).forEach(file -> actions.add(file.remove()));
    }
    transaction.commit(
        CollectionConverters.asScala(actions).toSeq(),
        new DeltaOperations.Write(
            SaveMode.Overwrite,
            Option.empty(),
            Option.apply(upsert.scope()),
            Option.apply(new LabelJson(label).text()),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty()));
    return Outcome.DONE;
  }

  /** The target's rows that stay, observed on the way. */
  private static Dataset<Row> kept(
      Dataset<Row> target,
      Upsert upsert,
      Dataset<Row> rows,
      Observation observation,
      StructType schema) {
    List<String> identity = upsert.identity();
    Dataset<Row> taken =
        rows.select(columns(identity)).withColumn(MATCHED, lit(true)).toDF(marked(identity));
    if (upsert.size() <= BROADCAST_UP_TO) {
      taken = broadcast(taken);
    }
    Column same =
        identity.stream()
            .map(name -> col(quoted(name)).eqNullSafe(col(quoted(marked(name)))))
            .reduce(Column::and)
            .orElseThrow();
    Column matched = coalesce(col(MATCHED), lit(false));
    Column isProtected = expr(upsert.isProtected());
    return inOrder(
        target
            .join(taken, same, "left")
            .observe(
                observation,
                count_if(matched.and(isProtected)).as(PROTECTED),
                count_if(finished(upsert)).as(FINISHED),
                count_if(not(finished(upsert))).as(UNFINISHED))
            .filter(not(matched)),
        schema);
  }

  private static Column finished(Upsert upsert) {
    return expr(upsert.isFinished());
  }

  private static String marked(String name) {
    return "_tidemark_" + name;
  }

  private static String[] marked(List<String> identity) {
    List<String> names = new ArrayList<>(identity.stream().map(DeltaUpsert::marked).toList());
    names.add(MATCHED);
    return names.toArray(String[]::new);
  }

  private static String quoted(String name) {
    return "`" + name + "`";
  }

  private static Column[] columns(List<String> names) {
    return names.stream().map(name -> col(quoted(name))).toArray(Column[]::new);
  }

  private static Dataset<Row> inOrder(Dataset<Row> rows, StructType schema) {
    return rows.select(columns(Arrays.asList(schema.fieldNames())));
  }

  private static Dataset<Row> in(SparkSession session, Dataset<Row> rows) {
    return Dataset$.MODULE$.ofRows(
        (org.apache.spark.sql.classic.SparkSession) session,
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).logicalPlan());
  }

  /** A condition's parts, as Delta needs them to find partitions and statistics in them. */
  private static Seq<Expression> conjuncts(
      SparkSession session, StructType schema, String condition) {
    Dataset<Row> none = session.createDataFrame(List.of(), schema).as("t").filter(condition);
    LogicalPlan resolved =
        ((org.apache.spark.sql.classic.Dataset<Row>) none).queryExecution().analyzed();
    Filter filter = (Filter) ConstantFolding$.MODULE$.apply(resolved);
    List<Expression> parts = new ArrayList<>();
    split(filter.condition(), parts);
    return CollectionConverters.asScala(parts).toSeq();
  }

  private static void split(Expression condition, List<Expression> parts) {
    if (condition instanceof And and) {
      split(and.left(), parts);
      split(and.right(), parts);
    } else {
      parts.add(condition);
    }
  }
}
