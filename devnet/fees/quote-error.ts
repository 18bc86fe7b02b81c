/** The quote is refused; the message says why, for the caller. */
export class QuoteError extends Error {
  override name = 'QuoteError'
  /** What Fastify answers with. */
  readonly statusCode = 400
}
