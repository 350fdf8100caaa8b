import { compareSync, genSaltSync, hashSync, truncates } from 'bcryptjs';

/** Whether a password is the one that a hash was made of. Holds the thread for some 60 ms at cost 10, twice that for each above. */
export function matches(password: string, hash: string): boolean {
  return compareSync(password, hash);
}

/** A hash for the web configuration file, in the form that all tools of the field print (`$2y$`, the same as `$2b$`). */
export function hashOf(password: string, cost: number): string {
  return hashSync(password, genSaltSync(cost)).replace(/^\$2b\$/, '$2y$');
}

/** bcrypt would silently take only the first 72 bytes. */
export function isTooLong(password: string): boolean {
  return truncates(password);
}
