import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { createMonitor } from '../app/monitor.ts';
import { COLLECTORS } from '../model/enums.ts';
import { defineCommand, prepare } from './command.ts';

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
    await io.print((await buffer(Readable.from(chunks).pipe(createGunzip()))).toString());
    await monitor.stop();
    const failed = monitor
      .snapshot()
      .accounts.some((account) =>
        COLLECTORS.some((collector) => account[collector].lastSuccessAt === undefined),
      );
    return failed ? 1 : 0;
  },
});
