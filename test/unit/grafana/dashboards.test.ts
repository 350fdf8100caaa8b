import { describe, expect, it } from 'vitest';
import { dashboards } from '../../../grafana/generator/dashboards.ts';

/** `kubectl apply` keeps what it applied in an annotation, and the annotations of an object may have this many bytes. */
const MOST_ANNOTATIONS = 256 * 1024;

describe('grafana/dashboards', () => {
  it.each([...dashboards])(
    '%s.json is what the generator makes, and kubectl can apply it',
    async (name, dashboard) => {
      // A line for each value, without indentation: a ConfigMap has little room.
      const text = `${JSON.stringify(dashboard, null, 1).replaceAll(/^ +/gm, '')}\n`;
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(0.9 * MOST_ANNOTATIONS);
      await expect(text).toMatchFileSnapshot(`../../../grafana/dashboards/${name}.json`);
    },
  );
});
