import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../json.ts'
import { checkFor } from '../schema-check.ts'
import type { Signer } from '../wallet/signer.ts'
import { RememberedQuote } from './remembered-quote.ts'

/** How long after its end a quote can be renewed, in milliseconds (interface 5.31): a page that was open all night. */
export const RENEWABLE_MS = 12 * 60 * 60 * 1000

/** What the wallet signs for the key. It signs seeds, which are UUIDs, and documents of the chain: never this. */
const PURPOSE = 'key for the proofs of quotes'

/** Half of what the options of a submission may have (interface 6.8). */
const LONGEST = 8192
const FORM = /^([\w-]+)\.([\w-]{43})$/

const known = checkFor(RememberedQuote)

export type QuoteProofs = Awaited<ReturnType<typeof createQuoteProofs>>

/** Proofs of the quotes that this service has given, for when its store is lost. All servers of a wallet can read them. */
export async function createQuoteProofs({ sign }: Pick<Signer, 'sign'>) {
  const key = await sign(Buffer.from(PURPOSE))
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  return {
    /** @returns the quote, signed, as text for an option; undefined for one whose messages are too long for that */
    prove(quote: RememberedQuote): string | undefined {
      const text = Buffer.from(JSON.stringify(quote)).toString('base64url')
      return text.length > LONGEST ? undefined : `${text}.${macOf(text)}`
    },
    /** @returns the quote of a proof, also one that has expired; undefined for no proof, and when it cannot be renewed any more */
    read(proof: string | undefined, now: number): RememberedQuote | undefined {
      const [, text, mac] = FORM.exec(proof ?? '') ?? []
      if (text === undefined || mac === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(text)))) return undefined
      const quote = parseJson(Buffer.from(text, 'base64url').toString())
      return known.Check(quote) && quote.expiresAt + RENEWABLE_MS > now ? quote : undefined
    }
  }
}
