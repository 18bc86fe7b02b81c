import { printable } from '../errors/shown.ts'

/** How much of the start and of the end of a text is kept, in UTF-16 units. */
const KEPT = 2048

/**
 * Cuts a text of the chain, which may be as large as the whole response, where it is logged or stored, and makes it printable. Never cut a text
 * that is parsed. Both ends stay: the SDK writes which message failed at the start, and the name of the error at the end.
 */
export function shorten(text: string): string {
  if (text.length <= 2 * KEPT) return printable(text)
  const left = text.length - 2 * KEPT
  return printable(`${text.slice(0, KEPT)} … ${left} characters … ${text.slice(-KEPT)}`)
}
