import type { FailureReason } from './enums.ts';

/** The usual cause of each reason, and what to do, for log lines and the fleet page. */
export const FAILURE_TEXTS = {
  dns: 'The host of api_url could not be resolved. Check its spelling and the resolver of this machine.',
  connect: 'The connection failed. Check api_url, the firewall and whether the API is up.',
  reset: 'The connection broke before the response. Nothing to do, unless it lasts.',
  timeout:
    'The response was not complete in time. Nothing to do, unless it lasts: then raise client.timeout.',
  tls: 'The TLS handshake failed. Check host and port of api_url, the clock, and client.ca_file if you have one.',
  redirect:
    'Redirects are not followed, because the key would go with them. If the address is that of the API, put it into api_url. If not, it may be the login page of this network.',
  edge_block:
    'The response is from a proxy in front of the API, or from this network. Ask the marketplace if this address is blocked.',
  envelope:
    'A JSON object with success and data was expected. Check that api_url is the base address of the API, and that this network demands no log-in.',
  encoding:
    'The text was not UTF-8, or compressed in an unknown way. Check if a proxy in between changes the response.',
  truncated: 'The response was cut off. Nothing to do, unless it lasts.',
  too_large:
    'The response is larger than any page can be. Check that api_url is the base address of the API.',
  schema: 'The data was not of the documented form. The API may have changed: look for a newer version.',
  unauthorized: 'The key is missing, invalid, or its account suspended. Check the key and the account.',
  throttled: 'The API asks for fewer requests. Poll less often or lower client.concurrency.',
  server: 'The API failed (status 5xx). Nothing to do, unless it lasts.',
  not_found: 'Nothing is at this address. Check that api_url is the base address of the API.',
  bad_request: 'The API refused the request itself. It may have changed: look for a newer version.',
  inconsistent:
    'The responses contradict each other, or a value is not possible. Nothing to do, unless it lasts.',
  internal: 'This is a bug of hoster-exporter. Please report it.',
} as const satisfies Record<FailureReason, string>;
