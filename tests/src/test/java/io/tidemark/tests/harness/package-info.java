/** Runs whole pipelines in tests: lands files, runs the jobs, reads the tables as records. */
package io.tidemark.tests.harness;
