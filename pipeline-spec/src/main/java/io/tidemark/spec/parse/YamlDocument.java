package io.tidemark.spec.parse;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** YAML text as a tree whose values know their lines. */
final class YamlDocument {

  private YamlDocument() {}

  /** The file's only document; empty, and the problem reported, where there is none. */
  static Optional<YamlValue> root(String yaml, Problems problems) {
    try {
      Optional<Node> root = new Compose(LoadSettings.builder().build()).composeString(yaml);
      if (root.isEmpty()) {
        problems.error(1, "", "the file is empty", "Describe a pipeline, from its name on.");
      }
      return root.map(node -> YamlValue.root(node, problems));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
      problems.error(line, "", "this is not YAML: " + e.getProblem(), "Mend the line.");
    } catch (YamlEngineException e) {
      problems.error(1, "", "this is not YAML: " + e.getMessage(), "Mend the file.");
    }
    return Optional.empty();
  }
}
