import { cleanText } from './model/text.ts';

/** Lines of a stack that help to find the place. */
const MOST_FRAMES = 12;

/**
 * The last words on an exception that nobody expected: its kind, where it came from, and its message only where that
 * can't quote what was being worked on, since that may be an answer of the API with a password in it.
 */
export function describeCrash(reason: unknown): string {
  return `hoster-exporter: ${describe(reason)}\nThis is a bug; please report it.\n`;
}

function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return `unexpected ${typeof reason} thrown in place of an error`;
  const { name, message, stack = '' } = reason;
  const code = 'code' in reason && typeof reason.code === 'string' ? ` (${cleanText(reason.code)})` : '';
  const said = isQuoting(reason) ? '' : `: ${cleanText(message)}`;
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  return [`unexpected ${cleanText(name)}${code}${said}`, ...frames.slice(0, MOST_FRAMES)].join('\n');
}

/** JSON.parse quotes the text; Node's own errors (ERR_…) quote arguments, and the values of rejected promises. */
function isQuoting(error: Error): boolean {
  return error instanceof SyntaxError || ('code' in error && String(error.code).startsWith('ERR_'));
}
