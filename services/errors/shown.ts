/** Characters that terminals act on, and which strings from clients, integrators and upstreams may contain. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Replaces characters that terminals act on, and unpaired surrogates, with spaces in a foreign string. */
export const printable = (text: string) => text.replace(NOT_SHOWN, ' ')

/** Cuts off what exceeds `longest` characters. */
export const truncated = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

/** Like `printable`, but truncated. */
export const shown = (text: string, longest: number) => printable(truncated(text, longest))

/** How much of the start and of the end `shorten` keeps, in UTF-16 units. */
const KEPT = 2048

/**
 * Like `shown`, for strings of the chain, which may be as large as a response. Never shorten a string that is parsed. Both
 * ends stay: the SDK writes which message failed at the start, and the name of the error at the end.
 */
export function shorten(text: string): string {
  if (text.length <= 2 * KEPT) return printable(text)
  const left = text.length - 2 * KEPT
  return printable(`${text.slice(0, KEPT)} … ${left} characters … ${text.slice(-KEPT)}`)
}
