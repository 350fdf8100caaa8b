import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client';

/** What an instrument is called and means, for documents and checks. */
export type SelfFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
};

/** Told of each instrument as it is made, and by name whenever one of its values changes. */
export type InstrumentEvents = {
  readonly declare: (family: SelfFamily) => void;
  readonly changed: (name: string) => void;
};

export type InstrumentKit = ReturnType<typeof createInstrumentKit>;

/** What instruments are made with; their names get the prefix of the exporter. */
export function createInstrumentKit(registry: Registry, { declare, changed }: InstrumentEvents) {
  const declared = <Label extends string>(
    type: SelfFamily['type'],
    suffix: string,
    help: string,
    labels: Label[],
  ) => {
    const name = `hoster_exporter_${suffix}`;
    declare({ name, help, type, labels });
    return { name, help, labelNames: labels, registers: [registry] };
  };
  const accountMetrics: (Counter | Gauge | Histogram)[] = [];
  const register = (metric: Counter | Gauge | Histogram, labels: readonly string[]): void => {
    if (labels.includes('account')) accountMetrics.push(metric);
    // A gauge without labels would be there at 0 before anybody set it.
    if (labels.length === 0 && metric instanceof Gauge) metric.remove();
  };
  const counter = <Label extends string>(suffix: string, help: string, ...labels: Label[]) => {
    const options = declared('counter', suffix, help, labels);
    const metric = new Counter(options);
    register(metric, labels);
    return {
      inc: (values: LabelValues<Label>, by = 1) => {
        metric.inc(values, by);
        changed(options.name);
      },
    };
  };
  const gauge = <Label extends string>(suffix: string, help: string, ...labels: Label[]) => {
    const options = declared('gauge', suffix, help, labels);
    const metric = new Gauge(options);
    register(metric, labels);
    return {
      set: (values: LabelValues<Label>, value: number) => {
        metric.set(values, value);
        changed(options.name);
      },
    };
  };
  const histogram = <Label extends string>(
    suffix: string,
    help: string,
    buckets: number[],
    ...labels: Label[]
  ) => {
    const options = declared('histogram', suffix, help, labels);
    const metric = new Histogram({ ...options, buckets });
    register(metric, labels);
    return {
      zero: (values: LabelValues<Label>) => {
        metric.zero(values);
        changed(options.name);
      },
      /** What observes seconds with these values; to be kept, as prom-client makes a function for each call else. */
      observer: (values: LabelValues<Label>) => {
        const child = metric.labels(values);
        return (seconds: number) => {
          child.observe(seconds);
          changed(options.name);
        };
      },
    };
  };
  /** Takes every series of an account away. */
  const forget = async (account: string): Promise<void> => {
    for (const metric of accountMetrics) changed(await removeSeries(metric, account));
  };
  return { counter, gauge, histogram, forget };
}

/** Returns the name of the metric. */
async function removeSeries(metric: Counter | Gauge | Histogram, account: string): Promise<string> {
  const { name, values } = await metric.get();
  for (const { labels } of values) {
    const { le: _, ...own } = labels;
    if (own['account'] === account) metric.remove(own);
  }
  return name;
}
