import { type Static, Type } from '@sinclair/typebox'
import { address, flag, formed, integer, list, maybe, text, titled, uuid } from './leaves.ts'
import { receiver } from './submit-examples.ts'

/** The maximum amount: 21 million bitcoins. */
const MAX_SATS = 21e14
/** The minimum amount of a lock: nodes relay no smaller output to a script hash. */
const MIN_LOCK = 330

const exampleAddress = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const exampleHash = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
const exampleIntent = {
  senderAddress: exampleAddress,
  senderPubkey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  recipientAddress: receiver,
  poolAddress: 'tb1qznd5zwx4dghvlvggsx5muw2dnuepnpdj7ud0ys',
  amountSats: 100_000
}

const HASH = formed('64 hex digits in lower case', { pattern: '^[0-9a-f]{64}$' })
const hash = (description: string) => Type.String({ ...HASH, description, examples: [exampleHash] })
const bytes = Type.String({ ...formed('hex', { pattern: '^([0-9a-f]{2})*$' }), description: 'Hex' })
const sats = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: MAX_SATS, description })
const uint32 = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description, examples: [0] })

const status = titled('BitcoinStatus', {
  confirmed: flag('Whether the transaction is in a block'),
  block_height: maybe(integer(0, 'Height of the block')),
  block_hash: maybe(hash('Hash of the block')),
  block_time: maybe(integer(0, 'Unix time of the block'))
})
const coin = { txid: hash('Transaction of the output'), vout: uint32('Index of the output') }
const Output = titled('BitcoinOutput', {
  scriptpubkey: bytes,
  scriptpubkey_address: maybe(text('Address')),
  value: sats('Satoshis')
})
const Input = titled('BitcoinInput', {
  ...coin,
  prevout: maybe(Output),
  scriptsig: bytes,
  is_coinbase: flag('Whether the transaction is a coinbase'),
  sequence: uint32('Sequence number')
})

/** These schemas have the format of the Esplora API, like an output's spender and a transaction below. */
export const Utxos = list(
  'Unspent outputs',
  titled('BitcoinUtxo', { ...coin, value: sats('Satoshis'), status })
)

export const Outspend = titled('BitcoinOutspend', {
  spent: flag('Whether a transaction spends the output, in a block or not'),
  txid: maybe(hash('The transaction that spends the output')),
  vin: maybe(uint32('Index of the input that spends the output')),
  status: maybe(status)
})

export const Transaction = titled('BitcoinTransaction', {
  txid: hash('Hash of the transaction'),
  version: Type.Integer(),
  locktime: uint32('Earliest block height or Unix time at which the transaction is valid'),
  size: Type.Optional(integer(0, 'Bytes')),
  weight: Type.Optional(integer(0, 'Weight units')),
  fee: Type.Optional(sats('Satoshis')),
  vin: list('Inputs', Input),
  vout: list('Outputs', Output),
  status
})
export type Transaction = Static<typeof Transaction>

export const Balance = titled('BitcoinBalance', {
  balance: sats('Satoshis, including transactions that are not in a block yet')
})
const height = integer(0, 'Height of the newest block')
export const Height = titled('BitcoinHeight', { height })
export const Tip = titled('BitcoinTip', { height, timestamp: integer(0, 'Unix time of the newest block') })

export const AddressQuery = Type.Object({ address: address({ examples: [exampleAddress] }) })
export const OutspendQuery = Type.Object(coin)
export const TransactionQuery = Type.Object({ hash: hash('Hash of the transaction') })

const KEY = formed('a compressed public key: 02 or 03 and 64 more hex digits', {
  pattern: '^0[23][0-9a-fA-F]{64}$'
})
const terms = {
  senderAddress: address({ description: 'P2WPKH, taproot without scripts, P2PKH or P2SH-P2WPKH' }),
  senderPubkey: Type.String({ ...KEY, description: 'Compressed public key of the sender’s address' }),
  recipientAddress: address({ description: 'Receiving address of the transfer, on any chain' }),
  amountSats: sats('Satoshis: the quote’s `allowanceAmount`', MIN_LOCK)
}
const timeout = integer(0, 'Unix time from which on the sender can take the amount back')
const lockId = uuid({ description: 'Identifies the lock intent' })
const txid = hash('The transaction that pays the `htlcAddress`')

export const LockIntentBody = Type.Object(
  {
    ...terms,
    poolAddress: address({ description: 'Pool address of `BTC`' }),
    timeout: Type.Optional(timeout)
  },
  { title: 'LockIntentRequest', examples: [exampleIntent] }
)
export type LockIntentBody = Static<typeof LockIntentBody>

export const LockIntent = titled('LockIntent', {
  lockId,
  htlcAddress: text('Address to send the amount to, in one output'),
  hash: hash('SHA-256 of the script'),
  timeoutHeight: integer(0, 'The same as `timeout`'),
  timeout,
  ...terms
})
export type LockIntent = Static<typeof LockIntent>

const field = (description: string) => Type.Optional(Type.String({ description }))

/** The chain's record of a lock. */
export const HtlcLock = titled('HtlcLock', {
  id: field('Sequential id of the lock'),
  senderAddress: Type.String({ description: 'Bitcoin address of the sender' }),
  senderPubkey: field('Sender’s public key in hex, hex-encoded once more'),
  htlcTimestamp: field('Unix time from which on the sender can take the amount back'),
  amount: field('Whole bitcoins'),
  txHash: Type.String({ description: 'The Bitcoin transaction' }),
  status: field('State of the lock'),
  errReason: field('Why the lock failed'),
  creator: field('Chain address of the wallet that registered it'),
  htlcAddress: field('Address of the lock'),
  pull_status: field('State of the pull')
})

export const ReclaimBody = Type.Object(
  { senderAddress: terms.senderAddress, txHash: txid },
  { title: 'ReclaimRequest', examples: [{ senderAddress: exampleAddress, txHash: exampleHash }] }
)

export const LockRecordBody = Type.Object(
  { lockId, txid },
  { title: 'LockRecordRequest', examples: [{ lockId: lockId.examples?.[0], txid: exampleHash }] }
)

export const LockRecord = titled('LockRecord', {
  lockId,
  htlcCreationHash: txid,
  htlcCreationVout: uint32('Index of the output that pays the `htlcAddress`'),
  htlcExpirationTimestamp: text('`timeout` of the intent'),
  htlcVersion: text('Version of the script'),
  senderPubKey: text('`senderPubkey` of the intent')
})
export type LockRecord = Static<typeof LockRecord>
