/** Terminals act on these, and texts of clients and integrators may have them. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Another's text, cut, with spaces for what terminals act on and for halves of surrogate pairs. */
export function shown(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replace(NOT_SHOWN, ' ')
}
