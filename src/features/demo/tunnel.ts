import { between, createRandom, deriveSeed, hexDigits, type Random } from '../../base/random.ts';
import { DAY } from '../../model/time.ts';
import type { Phone } from './phones.ts';

/**
 * Prefixes of all user names, passwords, credential ids and credential labels of the simulator, for tests that look for
 * leaks. `apiKey` is for keys of accounts.
 */
export const CANARY = {
  username: 'canary-user-',
  password: 'canary-password-',
  credentialId: 'canary-credential-',
  credentialLabel: 'canary-label-',
  apiKey: 'canary-key-',
} as const;

const STREAM = 101;

/**
 * Returns the tunnel of a phone: "Self-rent tunnel" of the API document, with ports as text. Only its uptime changes: it is
 * down while the phone is offline.
 */
export function tunnelItem(phone: Phone) {
  const random = createRandom(deriveSeed(phone.seed, STREAM));
  const port = between(random, 2_000, 6_000) * 10;
  const tunnelId = hexDigits(random, 24);
  return {
    tunnelId,
    status: random() < 0.97 ? 'enabled' : 'disabled',
    host: `gate-${String(between(random, 1, 12)).padStart(2, '0')}.tunnels.example.net`,
    socks5Port: String(port),
    httpsPort: String(port + 1),
    transparentSocks5Port: String(port + 2),
    uptimeStatus: phone.tunnel === 'up' && phone.online ? 'up' : 'down',
    credentials: credentialItems(phone, random),
  };
}

/** Returns one to four credentials; the first is active, each other one with a probability of a half. */
function credentialItems(phone: Phone, random: Random) {
  const phoneCreatedAt = Number.parseInt(phone.deviceId.slice(0, 8), 16) * 1_000 || 0;
  return Array.from({ length: between(random, 1, 4) }, (_, index) => {
    const suffix = `${hexDigits(random, 12)}-${index}`;
    const createdAt = phoneCreatedAt + between(random, 1, 360 * DAY);
    const updatedAt = createdAt + between(random, 0, 20 * DAY);
    return {
      credentialId: CANARY.credentialId + suffix,
      username: CANARY.username + suffix,
      password: CANARY.password + hexDigits(random, 24),
      label: CANARY.credentialLabel + suffix,
      status: index === 0 || random() < 0.5 ? 'active' : 'disabled',
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
    };
  });
}
