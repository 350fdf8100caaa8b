import { ConfigError } from '../config/messages.ts';
import { setting } from '../config/settings.ts';
import { pattern } from '../config/values.ts';
import { readErrorText } from '../files.ts';
import { defineCommand } from './command.ts';

export const rules = defineCommand({
  options: {
    file: setting(pattern('a path', /^[^\0]+$/), {
      description: 'hoster.rules.yml, alertmanager.yml or prometheus.yml as shipped.',
      default: 'config/prometheus/hoster.rules.yml',
    }),
    labels: setting(pattern('names of labels with commas between them', /^(?:[a-z_]\w*(?:,[a-z_]\w*)*)?$/i), {
      description:
        'Labels that your targets have besides job and instance, such as cluster,team. Alerts keep them, and accounts of different sites are kept apart.',
      default: '',
      example: 'cluster,team',
    }),
    job: setting(pattern('the name of a job', /^[\w-]+$/), {
      description: 'Name of the scrape job of the exporter.',
      default: 'hoster',
    }),
  },
  takesSettings: false,
  run: async ({ options }, io) => {
    const text = await io.readFile(options.file).catch((error: unknown) => {
      throw new ConfigError([
        `--file: ${options.file} cannot be read (${readErrorText(error)}): name the shipped file`,
      ]);
    });
    const labels = options.labels === '' ? [] : options.labels.split(',');
    await io.print(forSite(text, labels, options.job));
    return 0;
  },
});

/**
 * Adapts a shipped file to a site. Every grouping and join of the rules begins with `by (` or `on (`, every inhibition and
 * every group of messages with the account, so the labels are added there; what aggregates `without` keeps them anyway.
 *
 * @param labels names of labels that the targets of the site have
 * @param job name of the scrape job
 */
export function forSite(text: string, labels: readonly string[], job: string): string {
  const named = text
    .replaceAll('job="hoster"', `job="${job}"`)
    .replaceAll('job_name: hoster', `job_name: ${job}`);
  if (labels.length === 0) return named;
  const list = labels.join(', ');
  return (
    named
      .replaceAll(/\b(by|on) \((?!\))/g, `$1 (${list}, `)
      .replaceAll(/\b(equal|group_by): \[/g, `$1: [${list}, `)
      // An inhibition without `equal` would reach into other sites.
      .replaceAll(/^( *)target_matchers: .*$(?!\n *equal:)/gm, `$&\n$1equal: [${list}]`)
  );
}
