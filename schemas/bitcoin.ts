import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { address, flag, formed, integer, list, object, text, titled, uuid } from './leaves.ts'
import { receiver } from './submit-examples.ts'

/** No amount can be larger: 21 million bitcoins. */
const MAX_SATS = 21e14
/** Nodes relay no output to a script hash with less. */
const MIN_LOCK = 330

const exampleAddress = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const exampleKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const examplePool = 'tb1qg02kssvwejvhr0xtkz9pzxak8x9r8vhd6umkq4'
const exampleHash = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

const bitcoinAddress = (description: string, example = exampleAddress) =>
  address({ description, examples: [example] })

const hash = (description: string) =>
  Type.String({
    ...formed('64 hex digits in lower case', { pattern: '^[0-9a-f]{64}$' }),
    description,
    examples: [exampleHash]
  })

const sats = (description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: MAX_SATS, description, examples: [100_000] })

const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const bytes = Type.String({ ...formed('hex', { pattern: '^([0-9a-f]{2})*$' }), description: 'Hex' })
const uint32 = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description, examples: [0] })

const Confirmation = object('Whether the transaction is in a block, and in which', {
  confirmed: flag('True if it is in a block'),
  block_height: maybe(integer(0, 'Height of the block')),
  block_hash: maybe(hash('Hash of the block')),
  block_time: maybe(integer(0, 'Unix time of the block'))
})

export const Utxos = list(
  'Unspent outputs, in the format of the Esplora API',
  Type.Object({
    txid: hash('Transaction'),
    vout: uint32('Index of the output'),
    value: sats('Satoshis'),
    status: Confirmation
  })
)

export const Outspend = titled('BitcoinOutspend', {
  spent: flag('Whether a transaction spends the output, also one without a block'),
  txid: maybe(hash('The spending transaction')),
  vin: maybe(uint32('Index of its input')),
  status: maybe(Confirmation)
})

const Output = Type.Object({
  scriptpubkey: bytes,
  scriptpubkey_address: maybe(text('Address of the script, if it has one')),
  value: sats('Satoshis')
})

export const BitcoinTransaction = titled('BitcoinTransaction', {
  txid: hash('Hash of the transaction'),
  version: Type.Integer(),
  locktime: uint32('Earliest block or time'),
  size: Type.Optional(integer(0, 'Bytes')),
  weight: Type.Optional(integer(0, 'Weight units')),
  fee: Type.Optional(sats('Satoshis')),
  vin: list(
    'Inputs',
    Type.Object({
      txid: hash('Transaction of the spent output'),
      vout: uint32('Index of the spent output'),
      prevout: maybe(Output),
      scriptsig: bytes,
      is_coinbase: flag('Whether it creates new coins'),
      sequence: uint32('Sequence number')
    })
  ),
  vout: list('Outputs', Output),
  status: Confirmation
})
export type BitcoinTransaction = Static<typeof BitcoinTransaction>

export const BitcoinBalance = titled('BitcoinBalance', {
  balance: sats('Satoshis, including transactions that are not in a block yet')
})
const height = { height: integer(0, 'Height of the newest block', 100_000) }
export const BitcoinHeight = titled('BitcoinHeight', height)
export const BitcoinTip = titled('BitcoinTip', {
  ...height,
  timestamp: integer(0, 'Unix time of the newest block')
})

export const AddressQuery = Type.Object({ address: bitcoinAddress('Bitcoin address') })
export const OutspendQuery = Type.Object({ txid: hash('Transaction'), vout: uint32('Index of the output') })
export const TransactionQuery = Type.Object({ hash: hash('Hash of the transaction') })

const terms = {
  senderAddress: bitcoinAddress('Address that pays: P2PKH, P2WPKH, P2SH-P2WPKH or taproot without scripts'),
  senderPubkey: Type.String({
    ...formed('a compressed public key: 02 or 03 and 64 more hex digits', {
      pattern: '^0[23][0-9a-fA-F]{64}$'
    }),
    description:
      'Compressed public key of the sender’s address, in hex; can take the output back after the timeout',
    examples: [exampleKey]
  }),
  recipientAddress: address({ description: 'Receiving address of the transfer, on any chain' }),
  amountSats: sats('Satoshis to lock: the quote’s `allowanceAmount`', MIN_LOCK)
}
const TIMEOUT = 'Unix time, in seconds, from which on the sender can take the output back'

export const LockIntentBody = Type.Object(
  {
    ...terms,
    poolAddress: bitcoinAddress('The `poolAddress` of `BTC` in `GET /chains/pool`', examplePool),
    timeout: Type.Optional(
      integer(0, `${TIMEOUT}; by default, an hour from now and another for each confirmation`)
    )
  },
  {
    title: 'LockIntentRequest',
    description: 'What will be locked; other properties are ignored',
    examples: [
      {
        senderAddress: exampleAddress,
        senderPubkey: exampleKey,
        recipientAddress: receiver,
        poolAddress: examplePool,
        amountSats: 100_000
      }
    ]
  }
)
export type LockIntentBody = Static<typeof LockIntentBody>

const lockId = uuid({ description: 'Identifies the lock intent' })

export const LockIntent = titled('LockIntent', {
  lockId,
  htlcAddress: text('Address to send the amount to, in one output'),
  hash: hash('SHA-256 of the script'),
  timeoutHeight: integer(0, 'The same as `timeout`'),
  timeout: integer(0, `${TIMEOUT}; up to a minute later than requested, so that the address is new`),
  ...terms
})
export type LockIntent = Static<typeof LockIntent>

export const LockRecordBody = Type.Object(
  { lockId, txid: hash('The transaction that pays the `htlcAddress`') },
  {
    title: 'LockRecordRequest',
    description: 'Where the lock is; other properties are ignored',
    examples: [{ lockId: lockId.examples?.[0], txid: exampleHash }]
  }
)

export const LockRecord = titled('LockRecord', {
  lockId,
  htlcCreationHash: hash('The transaction that pays the `htlcAddress`'),
  htlcCreationVout: uint32('Index of the output that does'),
  htlcExpirationTimestamp: text('`timeout` of the intent', '1800000000'),
  htlcVersion: text('Version of the script'),
  senderPubKey: text('`senderPubkey` of the intent')
})
export type LockRecord = Static<typeof LockRecord>
