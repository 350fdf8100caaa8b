/*
 * What no formula tells, as it was measured; docs/SCALING.md says how. Of the exporter, `npm run bench -- --only shards` measures it
 * again, and a test compares what a test can measure.
 */

/** Bytes of a page compressed, for each byte of its text; ids that are random throughout are the worst case. */
export const GZIP_SHARE = 0.1;

/** Series of the exporter's own counters, which grow by a few with what happens. */
export const OWN_SERIES = { process: 75, account: 265 };

/** Bytes of memory that a process takes at most (resident), in all, and for each phone that it shows or only counts. */
export const MEMORY = { process: 115e6, ownPhone: 1_400, neighbour: 650 };

/** Bytes of a sample on the disk of Prometheus: as it was measured, and by its own rule of thumb. */
export const SAMPLE_BYTES = { least: 1.2, most: 2 };

/** Bytes of memory of Prometheus, in all and for each series that it scrapes. */
export const PROMETHEUS = { process: 50e6, series: 3_300 };

/** Series on one page above which Prometheus may need longer for its first scrape than its default of 10 seconds. */
export const SERIES_OF_A_SCRAPE = 900_000;
