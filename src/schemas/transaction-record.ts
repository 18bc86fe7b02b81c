import { Type } from '@sinclair/typebox'
import { txId } from './leaves.ts'

export const TxIdParams = Type.Object({ txId: txId() })

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] })

/**
 * The record of a regular transaction (spec §2).
 * @param hashField the field with the chain's transaction hash, which carries the brand
 */
export function transactionRecord(hashField: string) {
  return Type.Object(
    {
      failreason: text('Failure reason; empty when none', ''),
      pullfailcount: count('Failed pulls'),
      pullhash: text('Hash of the pull on the origin chain; empty before it', '0x5e2f…'),
      releasefailcount: count('Failed releases'),
      releasehash: text('Hash of the release on the target chain; empty before it', '0x91ab…'),
      refundhash: text('Hash of the refund; empty when none', ''),
      txstatus: text('Where the transfer is', 'Completed'),
      amount: text('Decimal amount in whole tokens', '100.5'),
      creator: text('Chain address of the submitting wallet', 'service1…'),
      originaddress: text('Address of the paying user', '0x742d…'),
      originchain: text('Origin chain', 'ETH'),
      originsymbol: text('Origin token', 'USDT'),
      targetsymbol: text('Target token', 'USDC'),
      targetaddress: text('Receiving address', '0x742d…'),
      targetchain: text('Target chain', 'POL'),
      tx_id: Type.Integer({ minimum: 1, description: 'Sequential transaction id', examples: [42] }),
      [hashField]: text('Hash of the transaction on the chain', '9F86D081…')
    },
    { description: 'Transaction record' }
  )
}

/**
 * The answer of a status route: under `data`, the root of the record's kind (spec §2).
 * @param format `list` puts the record into an array, as the specification has it; `object` leaves it bare
 */
export function statusAnswer(
  root: string,
  record: ReturnType<typeof transactionRecord>,
  format: 'list' | 'object'
) {
  const content = format === 'list' ? Type.Array(record, { maxItems: 1 }) : record
  return Type.Object({ data: Type.Object({ [root]: content }) }, { description: 'The record' })
}
