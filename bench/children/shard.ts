import type { Shard } from '../../src/model/shard.ts';
import { createNetworkExporter } from '../exporter.ts';
import { ownCpu } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/**
 * One shard of the exporter, without its listener. Parameters: the address of an API, which shard it is, and of how
 * many.
 */
const [apiUrl = '', index = '0', total = '1'] = process.argv.slice(2);

const shard: Shard = { index: Number(index), total: Number(total) };
const exporter = createNetworkExporter(1, apiUrl, 8, shard);

handleRequests({
  /** Milliseconds of CPU and of time that a poll takes, until the page shows it and was read once. */
  poll: async () => {
    const [startedAt, before] = [performance.now(), ownCpu()];
    await exporter.poll();
    await exporter.scrape();
    return [ownCpu() - before, performance.now() - startedAt];
  },
  /** Bytes of a page and of its text, and how many phones stand on it. */
  page: async () => {
    const { length, textLength } = await exporter.scrape();
    const [account] = exporter.snapshot().accounts;
    return [length, textLength, account?.devices.data?.devices.size ?? 0];
  },
});
