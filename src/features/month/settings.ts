import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { parseAbsolutePath, parsedText, wholeNumber } from '../../config/values.ts';

export const MONTHS = defineSection('months', {
  directory: setting(
    parsedText('an absolute path such as /var/lib/hoster-exporter/months', (text) =>
      parseAbsolutePath(text, '/var/lib/hoster-exporter/months'),
    ).optional(),
    {
      needsRestart: true,
      description:
        'Folder of the month files: one for each local day, with a line for each phone; by default the folder months beside state.file, and none without that.',
      example: '/var/lib/hoster-exporter/months',
    },
  ),
  keep: setting(wholeNumber(1, 1200), {
    needsRestart: true,
    description: 'Number of month files that are kept; the oldest are removed.',
    default: 14,
    example: '26',
  }),
});
