/** Characters that terminals act on, and which strings from clients, integrators and upstreams may contain. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Replaces characters that terminals act on, and unpaired surrogates, with spaces in a foreign string. */
export const printable = (text: string) => text.replace(NOT_SHOWN, ' ')

/** Like `printable`, but shortened. */
export function shown(text: string, longest: number): string {
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}
