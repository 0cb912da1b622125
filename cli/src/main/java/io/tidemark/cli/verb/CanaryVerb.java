package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark canary}: shows the candidate to a share of the users. */
@Command(
    name = "canary",
    description = {
      "Show the candidate to a stable share of the users, the live generation to the others; the"
          + " column generation says which one a row is of. Off again with 'off'.",
      "A user is the session's SQL user; a session started with --conf tidemark.canary=on, or =off,"
          + " has chosen."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark canary clicks.yaml 10%%",
      "  tidemark canary clicks.yaml off",
      "  tidemark sql clicks.yaml --conf tidemark.canary=on \"SELECT sum(clicks) FROM ad_clicks\""
    })
public final class CanaryVerb extends PipelineVerb {

  @Parameters(index = "1", paramLabel = "SHARE", description = "1%% to 99%%, or off.")
  private @Nullable String share;

  @Mixin private MoveOptions options = new MoveOptions();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    int percent = percent(share + "");
    MoveOptions.job(spark, setup(spark), format(spark), clock, runId)
        .canary(percent, options.conditions());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("percent", percent);
    return VerbResult.done(
        percent == 0
            ? "All users see the live generation. Sessions that have made their views already go on with them."
            : "%d%% of the users see the candidate, the others the live generation. Sessions that have made their views already go on with them; 'tidemark ddl' prints the views for a shared catalogue."
                .formatted(percent),
        data);
  }

  private static int percent(String share) {
    if (share.equals("off")) {
      return 0;
    }
    if (!share.matches("[1-9][0-9]?%")) {
      throw new SpecException(
          "'%s' is no share of the users: write 1%% to 99%%, or off. All of them: tidemark promote."
              .formatted(share));
    }
    return Integer.parseInt(share.substring(0, share.length() - 1));
  }
}
