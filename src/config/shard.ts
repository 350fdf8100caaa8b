import type { Shard } from '../model/shard.ts';
import { type Environment, isSet } from './environment.ts';
import type { Fit } from './fit.ts';

/** Asks for the number at the end of the name of the pod. */
export const AUTO = 'auto';

/**
 * Where the name of a pod stands. HOSTNAME is that name in every pod but one in the network of its node, where it is
 * the name of the node; POD_NAME is there only if somebody set it, and so wins.
 */
const NAMES = ['POD_NAME', 'HOSTNAME'];

const ORDINAL = /-(\d{1,5})$/;

/** The shard that the settings mean; what was expected of `shard.index` where they mean none. */
export function readShard(
  { index, total }: { readonly index: number | typeof AUTO; readonly total: number },
  environment: Environment,
): Fit<Shard> {
  const below = `below shard.total (--total-shards), which is ${total}`;
  if (index !== AUTO) return index < total ? { value: { index, total } } : { expected: `a number ${below}` };
  const variable = NAMES.find((each) => isSet(environment, each));
  if (variable === undefined) return { expected: `a number, since neither ${NAMES.join(' nor ')} is set` };
  const name = environment[variable] ?? '';
  const ordinal = ORDINAL.exec(name)?.[1];
  const said = `${variable} is "${name}"`;
  if (ordinal === undefined) {
    return { expected: `a number, since ${said} and does not end in one, as in hoster-exporter-3` };
  }
  if (Number(ordinal) >= total) return { expected: `a pod whose number is ${below}: ${said}` };
  return { value: { index: Number(ordinal), total } };
}
