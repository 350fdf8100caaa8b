/** Prefixes of the user names, passwords, ids and labels of simulated credentials, and of keys, for tests that look for leaks. */
export const CANARY = {
  username: 'canary-user-',
  password: 'canary-password-',
  credentialId: 'canary-credential-',
  credentialLabel: 'canary-label-',
  apiKey: 'canary-key-',
} as const;
