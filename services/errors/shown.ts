/** Terminals act on these, and texts of clients, integrators and upstreams may have them. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Another's text, with spaces for what terminals act on and for halves of surrogate pairs. */
export const printable = (text: string) => text.replace(NOT_SHOWN, ' ')

/** The same, cut. */
export function shown(text: string, longest: number): string {
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}
