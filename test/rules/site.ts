import { execFileSync } from 'node:child_process';
import { shippedText } from './shipped.ts';

/** Adapts a shipped file to targets with a label of their own, by the commands of docs/INSTALL.md. */
export function addSiteLabel(text: string, label: string): string {
  const commands = [...shippedText('docs/INSTALL.md').matchAll(/^sed -i -E '(.*)' config\/\S+$/gm)];
  if (commands.length !== 2) throw new Error('expected two sed commands in docs/INSTALL.md');
  const expressions = commands.flatMap(([, command = '']) => ['-e', command.replaceAll('cluster', label)]);
  return execFileSync('sed', ['-E', ...expressions], { input: text, encoding: 'utf8' });
}
