import { describe, expect, it } from 'vitest';
import { dashboards } from '../../../grafana/generator/dashboards.ts';

describe('grafana/dashboards', () => {
  it.each([...dashboards])('%s.json is what the generator makes', async (name, dashboard) => {
    const text = `${JSON.stringify(dashboard, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../../../grafana/dashboards/${name}.json`);
  });
});
