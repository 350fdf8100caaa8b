import { reasonOf } from '../../base/outbound.ts';
import { say } from '../../text/say.ts';
import { findServiceWay, noAddress, parseAddress } from './channels.ts';
import { type Networks, send } from './network.ts';
import { answer, isUnattended, type Wizard } from './questions.ts';

/*
 * The watchdog: a service elsewhere, such as healthchecks.io, that notifies the owner when HosterWatchdog stops arriving.
 */

/** File with its address, which is a secret: anyone who has it can keep the watchdog quiet. */
export const WATCHDOG_FILE = 'watchdog-url';

export type Watchdog = { readonly address: string; readonly is_proxied: boolean };

/**
 * Asks for the address of a watchdog, and sends it a first ping.
 *
 * @param remembered the address from an earlier run; empty if the answer was none
 */
export async function askWatchdog(
  remembered: string | undefined,
  wizard: Wizard,
  networks: Networks,
): Promise<Watchdog | undefined> {
  if (!(isUnattended(wizard) && (remembered !== undefined || wizard.prompt === undefined)))
    await wizard.print(say('setup-watchdog'));
  return await answer<Watchdog | undefined>(wizard, {
    variable: 'HOSTER_WATCHDOG_URL',
    text: say('setup-ask-watchdog'),
    remembered,
    suggestion: '',
    isSecret: true,
    check: async (address) => {
      if (address === '' || /^none$/i.test(address)) return { value: undefined };
      const url = parseAddress(address);
      if (url === undefined) return { problem: noAddress() };
      const orElse = { address, is_proxied: false };
      try {
        const { network, is_proxied } = await findServiceWay(url, wizard, networks);
        const { status } = await send(url, 'POST', network, {});
        const isWrong = status === 404 || status === 410;
        return status < 400
          ? { value: { address, is_proxied } }
          : { problem: say('setup-watchdog-status', { status }), orElse, isWrong };
      } catch (error) {
        return { problem: reasonOf(error), orElse };
      }
    },
  });
}
