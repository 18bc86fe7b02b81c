import { type TProperties, Type } from '@sinclair/typebox'
import { txId } from './leaves.ts'

export const TxIdParams = Type.Object({ txId: txId() })

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] })

/** The fields of all kinds of records. The name `hashField` contains the brand. */
const progress = (hashField: string) => ({
  failreason: text('Failure reason; empty when none', ''),
  pullfailcount: count('Failed pulls'),
  pullhash: text('Hash of the pull on the origin chain; empty before the pull', '0x5e2f…'),
  releasefailcount: count('Failed releases'),
  releasehash: text('Hash of the release on the target chain; empty before the release', '0x91ab…'),
  txstatus: text('Status of the transaction; clients must expect new values', 'Completed'),
  creator: text('Chain address of the submitting wallet', 'service1…'),
  tx_id: Type.Integer({ minimum: 1, description: 'Sequential transaction id', examples: [42] }),
  [hashField]: text('Hash of the transaction on the chain', '9F86D081…')
})

const refundhash = () => text('Hash of the refund; empty when none', '')

const route = () => ({
  refundhash: refundhash(),
  originaddress: text('Address of the paying user; empty for a rail', '0x742d…'),
  originchain: text('Origin chain', 'ETH'),
  originsymbol: text('Origin token', 'USDT'),
  targetsymbol: text('Target token', 'USDC'),
  targetaddress: text('Receiving address', '0x742d…'),
  targetchain: text('Target chain', 'POL')
})

const amount = () => text('Decimal amount in whole tokens', '100.5')

/**
 * The records by kind (interface 9.4, 9.5).
 * @param hashField name of the field with the chain's transaction hash, which contains the brand
 */
const recordFields = (hashField: string) => ({
  transfer: { ...progress(hashField), ...route(), amount: amount() },
  liquidity: {
    ...progress(hashField),
    refundhash: refundhash(),
    amount: amount(),
    chain: text('Chain of the pool', 'ETH'),
    providerchainaddress: text('Address of the liquidity provider on that chain', '0x7099…'),
    symbol: text('Token', 'USDC')
  },
  swap: {
    ...progress(hashField),
    ...route(),
    amountIn: text('Decimal amount paid, in whole tokens', '100.5'),
    amountOut: text('Decimal amount received, in whole tokens', '100.25'),
    dex: text('Exchange; empty when the chain chooses', ''),
    slippage: text('Largest accepted deviation from the quote', '0.005')
  }
})

type RecordKind = keyof ReturnType<typeof recordFields>

/** The fields that differ with SERVICE_RESPONSE_FORMAT=widget (interface 9.15). */
function widgetFields(kind: RecordKind, fields: TProperties): TProperties {
  const { originaddress, originchain, originsymbol, targetchain, targetsymbol } = route()
  const amounts = Object.keys(fields).filter(name => /^amount/.test(name))
  return {
    ...fields,
    ...(kind === 'liquidity' && { originaddress, originchain, originsymbol, targetchain, targetsymbol }),
    ...Object.fromEntries(
      amounts.map(name => [name, Type.Number({ description: 'Whole tokens', examples: [100.5] })])
    ),
    tx_id: Type.String({ description: 'Sequential transaction id', examples: ['42'] })
  }
}

const named = (kind: RecordKind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** A record in the chain's format (interface 9.4, 9.5), also used by webhooks. */
export const recordOf = (kind: RecordKind, hashField: string) =>
  Type.Object(recordFields(hashField)[kind], {
    title: `${named(kind)}Record`,
    description: 'Transaction record'
  })

/** The response of a status route in both formats: under `data`, the root of the record's kind (interface 9.1, 9.2). */
export function statusAnswer(root: string, kind: RecordKind, hashField: string) {
  const content = Type.Union(
    [
      Type.Array(recordOf(kind, hashField), {
        minItems: 1,
        maxItems: 1,
        description: 'A list of one record, with SERVICE_RESPONSE_FORMAT=documented'
      }),
      Type.Object(widgetFields(kind, recordFields(hashField)[kind]), {
        title: `Widget${named(kind)}Record`,
        description: 'The record itself, with SERVICE_RESPONSE_FORMAT=widget'
      })
    ],
    { description: 'The record, in the form of SERVICE_RESPONSE_FORMAT' }
  )
  return Type.Object(
    { data: Type.Object({ [root]: content }, { description: 'What the chain’s index would answer' }) },
    { title: `${named(kind)}Status`, description: 'The record' }
  )
}
