import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../json.ts'
import { checkFor } from '../schema-check.ts'
import type { Signer } from '../wallet/signer.ts'
import { RememberedQuote } from './remembered-quote.ts'

/** How long an expired quote can be renewed, in milliseconds (interface 5.31): a page might stay open overnight. */
export const RENEWABLE_MS = 12 * 60 * 60 * 1000

/**
 * The signature of this message is the key for the proofs. The wallet cannot reveal it, because apart from this message
 * it signs only UUIDs (seeds) and chain documents.
 */
const PURPOSE = 'key for the proofs of quotes'

/** Maximum length of a proof's content: half of the maximum length of a submission's options (interface 6.8). */
const LONGEST = 8192
const FORM = /^([\w-]+)\.([\w-]{43})$/

const known = checkFor(RememberedQuote)

export type QuoteProofs = Awaited<ReturnType<typeof createQuoteProofs>>

/**
 * Creates and verifies proofs that this service issued a quote, for when the quote store is lost. All servers with the
 * same wallet can verify them.
 */
export async function createQuoteProofs({ sign }: Pick<Signer, 'sign'>) {
  const key = await sign(Buffer.from(PURPOSE))
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  return {
    /** @returns the signed quote, for the options of a submission; undefined if the proof would be too long */
    prove(quote: RememberedQuote): string | undefined {
      const text = Buffer.from(JSON.stringify(quote)).toString('base64url')
      return text.length > LONGEST ? undefined : `${text}.${macOf(text)}`
    },
    /** @returns the proven quote, even if expired; undefined if the proof is invalid or the renewal period is over */
    read(proof: string | undefined, now: number): RememberedQuote | undefined {
      const [, text, mac] = FORM.exec(proof ?? '') ?? []
      if (text === undefined || mac === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(text)))) return undefined
      const quote = parseJson(Buffer.from(text, 'base64url').toString())
      return known.Check(quote) && quote.expiresAt + RENEWABLE_MS > now ? quote : undefined
    }
  }
}
