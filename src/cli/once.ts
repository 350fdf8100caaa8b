import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { createMonitor } from '../daemon/monitor.ts';
import { COLLECTORS } from '../model/enums.ts';
import { defineCommand, prepare } from './command.ts';

/** Metrics of this process. In a textfile they would collide with node_exporter's. */
const PROCESS_LINE = /^(?:# (?:HELP|TYPE) )?(?:process|nodejs)_.*\n/gm;

export const once = defineCommand({
  options: {},
  run: async ({ flags }, io) => {
    const { config, dependencies } = await prepare(flags, io);
    const monitor = createMonitor(config, dependencies);
    const polled = monitor.pollAll().then(() => true);
    if (!(await Promise.race([polled, io.interrupted]))) {
      await monitor.stop();
      return 1;
    }
    const { chunks } = await monitor.scrape();
    const page = (await buffer(Readable.from(chunks).pipe(createGunzip()))).toString();
    await io.print(page.replaceAll(PROCESS_LINE, ''));
    await monitor.stop();
    const failed = monitor
      .snapshot()
      .accounts.some((account) =>
        COLLECTORS.some((collector) => account[collector].lastSuccessAt === undefined),
      );
    return failed ? 1 : 0;
  },
});
