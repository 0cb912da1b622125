package io.tidemark.bench.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Keys from 0 on, of which key i is drawn with a probability in proportion to {@code (i + 1) ^
 * −skew}. Example: of 50,000 keys with skew 1 the first has 8.8% of all events.
 */
final class ZipfKeys {

  private final double[] cumulated;

  ZipfKeys(int keys, double skew) {
    cumulated = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1.0, -skew);
      cumulated[i] = sum;
    }
  }

  int draw(SplittableRandom random) {
    double point = random.nextDouble() * cumulated[cumulated.length - 1];
    int found = Arrays.binarySearch(cumulated, point);
    return found < 0 ? -found - 1 : found + 1;
  }
}
