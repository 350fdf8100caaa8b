export function releaseNotes(changelog: string, version: string, tag: string): string;
