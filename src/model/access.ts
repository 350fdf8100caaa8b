/**
 * What the last answers to a key say of it. `denied` is a refusal without a code that the API document knows. The
 * document blurs INVALID_API_KEY and HOSTER_BANNED (each "or" the other), so a text for people names both causes.
 */
export const ACCESS_STATES = ['granted', 'missing_key', 'invalid_key', 'suspended', 'denied'] as const;

export type AccessState = (typeof ACCESS_STATES)[number];
