import type { FailureReason } from './enums.ts';

/** Usual cause of each failure and what to do, for log lines and the fleet page. */
export const FAILURE_TEXTS = {
  dns: 'The host in api_url could not be resolved. Check its spelling and the DNS of this machine.',
  connect: 'Could not connect. Check api_url, the firewall, and that the API is up.',
  reset: 'The connection broke before the response. If it lasts, ask the marketplace.',
  timeout: 'The response took too long. If it lasts, raise client.timeout.',
  tls: 'The TLS handshake failed. Check the host and port in api_url, the clock, and client.ca_file if you use it.',
  redirect:
    'The API redirected the request. Redirects are not followed, because they would carry the key. If the new address is the API, put it into api_url. It may also be the login page of this network.',
  edge_block:
    'A proxy in front of the API, or this network, rejected the request. Ask the marketplace if your address is blocked.',
  envelope:
    'The response is not a JSON object with success and data. Check that api_url is the base address of the API, and that this network does not require a login.',
  encoding: 'The response is not UTF-8, or has an unknown compression. Check if a proxy changes responses.',
  truncated: 'The response was cut off. If it lasts, ask the marketplace.',
  too_large: 'The response is too large. Check that api_url is the base address of the API.',
  schema: 'The data does not match the API document. The API may have changed: look for a newer version.',
  unauthorized: 'The key is missing or invalid, or the account is suspended. Check both.',
  throttled: 'Too many requests. Poll less often, or lower client.concurrency.',
  server: 'The API failed (status 5xx). If it lasts, ask the marketplace.',
  not_found: 'The API was not found at this address. Check that api_url is its base address.',
  bad_request: 'The API rejected the request. It may have changed: look for a newer version.',
  inconsistent: 'The data contradicts itself. If it lasts, ask the marketplace.',
  internal: 'This is a bug of hoster-exporter. Please report it.',
} as const satisfies Record<FailureReason, string>;
