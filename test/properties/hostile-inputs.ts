/**
 * Number of inputs that each property tries of what the API could send. A million of each kind takes some twenty minutes:
 * docs/PERFORMANCE.md has the command.
 */
export const HOSTILE_INPUTS = Number(process.env['HOSTILE_INPUTS'] ?? 200);
