/**
 * How everything begins that must never leave the exporter. The simulator hands out nothing else as a user name,
 * password, credential identifier or credential label, so a leak test needs to look for these texts only. `apiKey` is
 * for whoever chooses the keys of the accounts.
 */
export const CANARY = {
  username: 'canary-user-',
  password: 'canary-password-',
  credentialId: 'canary-credential-',
  credentialLabel: 'canary-label-',
  apiKey: 'canary-key-',
} as const;
