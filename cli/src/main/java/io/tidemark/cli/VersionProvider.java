package io.tidemark.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
public final class VersionProvider implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = VersionProvider.class.getPackage().getImplementationVersion();
    return new String[] {"tidemark " + (version == null ? "(not packaged)" : version)};
  }
}
