import { describe, expect, it } from 'vitest';
import { dashboards } from '../../../grafana/generator/dashboards.ts';

describe('grafana/dashboards', () => {
  it.each([...dashboards])('%s.json is what the generator makes', async (name, dashboard) => {
    // A line for each value, without indentation: a ConfigMap has little room.
    const text = `${JSON.stringify(dashboard, null, 1).replaceAll(/^ +/gm, '')}\n`;
    await expect(text).toMatchFileSnapshot(`../../../grafana/dashboards/${name}.json`);
  });
});
