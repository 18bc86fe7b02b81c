export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Characters that terminals interpret. Strings from clients, integrators and upstreams can contain them. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Replaces unpaired surrogates, and characters that terminals interpret, with spaces. */
export const printable = (text: string) => text.replace(NOT_SHOWN, ' ')

export const truncated = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

export const shown = (text: string, longest: number) => printable(truncated(text, longest))

/** Number of UTF-16 code units that `shorten` keeps at each end. */
const KEPT = 2048

/**
 * Like `shown`, for strings from the chain, which can be as long as a response. Keeps both ends, because the SDK writes
 * the failed message at the start and the error name at the end. Never shorten a string that will be parsed.
 */
export function shorten(text: string): string {
  if (text.length <= 2 * KEPT) return printable(text)
  const left = text.length - 2 * KEPT
  return printable(`${text.slice(0, KEPT)} … ${left} characters … ${text.slice(-KEPT)}`)
}
