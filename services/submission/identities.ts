import { FIAT } from '../chains/families.ts'
import { parseJson } from '../json.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import type { Identity } from './types.ts'

/** An identity as stores hold it: the prefix keeps a value of one kind from standing for one of another (interface 7.3). */
export function identityKey({ kind, value }: Identity): string {
  return `${kind}:${value}`
}

/** What a transfer or swap itself says that it is known by: its feeId, and from a rail its payment (interface 7.3). */
export function identitiesIn({
  originChain,
  options
}: Pick<MsgRequestTransaction, 'originChain' | 'options'>): Identity[] {
  const { feeId, transactionIdSeed }: Record<string, unknown> = Object(parseJson(options))
  const identities: Identity[] = []
  if (isText(feeId)) identities.push({ kind: 'fee', value: feeId })
  if (originChain === FIAT && isText(transactionIdSeed)) {
    identities.push({ kind: 'payment', value: transactionIdSeed })
  }
  return identities
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
