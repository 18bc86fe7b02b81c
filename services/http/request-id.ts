import { randomUUID } from 'node:crypto'

const saneToken = /^[A-Za-z0-9_.:=+-]{1,128}$/

/** The client's own request id when it can safely stand in logs and headers, else a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && saneToken.test(header) ? header : randomUUID()
}
