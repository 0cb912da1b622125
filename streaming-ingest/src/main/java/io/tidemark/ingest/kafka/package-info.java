/** Kafka as a source: how its brokers are reached, what a topic holds, and what is lost of it. */
@org.jspecify.annotations.NullMarked
package io.tidemark.ingest.kafka;
