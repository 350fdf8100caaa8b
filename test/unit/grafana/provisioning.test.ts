import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const PROVISIONING = join(import.meta.dirname, '../../../grafana/provisioning');

function read(file: string): unknown {
  return parse(readFileSync(join(PROVISIONING, file), 'utf8'));
}

describe('grafana/provisioning', () => {
  it('makes Prometheus the default data source, which the dashboards choose by themselves', () => {
    expect(read('datasources/prometheus.yml')).toMatchObject({
      apiVersion: 1,
      datasources: [
        {
          type: 'prometheus',
          isDefault: true,
          jsonData: { timeInterval: '15s', alertmanagerUid: 'alertmanager' },
        },
        { type: 'alertmanager', uid: 'alertmanager' },
      ],
    });
  });

  it('loads the dashboards from their own folder, and allows no edits in Grafana', () => {
    expect(read('dashboards/hoster.yml')).toMatchObject({
      apiVersion: 1,
      providers: [
        {
          type: 'file',
          folderUid: 'hoster',
          allowUiUpdates: false,
          options: { path: '/var/lib/grafana/dashboards/hoster', foldersFromFilesStructure: false },
        },
      ],
    });
  });
});
