import { randomUUID } from 'node:crypto'

const saneToken = /^[A-Za-z0-9_.:=+-]{1,128}$/

/** The client's request id when it is safe in logs and headers, otherwise a new one (interface 14.8). */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && saneToken.test(header) ? header : randomUUID()
}
