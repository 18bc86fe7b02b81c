import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { RawTx } from '@scure/btc-signer'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Balance, Outspend, type Tip, Transaction, Utxos } from '../../schemas/bitcoin.ts'
import type { Environment } from '../addresses/index.ts'
import { checkFor, type SchemaCheck } from '../schema-check.ts'
import { UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

/** The first blocks of the networks that an environment may use. */
const GENESIS: Record<Environment, readonly string[]> = {
  mainnet: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  testnet: [
    '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043', // testnet4
    '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', // testnet3
    '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6' // signet
  ]
}

const natural = Type.Integer({ minimum: 0 })
const Sums = Type.Object({ funded_txo_sum: natural, spent_txo_sum: natural })
const addressShape = checkFor(Type.Object({ address: Type.String(), chain_stats: Sums, mempool_stats: Sums }))
const hashShape = checkFor(Type.String({ pattern: '^[0-9a-f]{64}$' }))
const blockShape = checkFor(Type.Object({ id: Type.String(), height: natural, timestamp: natural }))
const utxosShape = checkFor(Utxos)
const outspendShape = checkFor(Outspend)
const transactionShape = checkFor(Transaction)

/** Reads an Esplora API. Every method throws UpstreamError, also if the API is on another network. */
export interface Esplora {
  assertNetwork(): Promise<void>
  balance(address: string): Promise<Static<typeof Balance>>
  utxos(address: string): Promise<Static<typeof Utxos>>
  tip(): Promise<Static<typeof Tip>>
  /** Returns the transaction, after checking that the id is the hash of its contents; undefined if there is none. */
  transaction(txid: string): Promise<Transaction | undefined>
  outspend(txid: string, vout: number): Promise<Static<typeof Outspend> | undefined>
  close(): Promise<void>
}

export function createEsplora(options: {
  url: string
  environment: Environment
  observe?: UpstreamObserver
}): Esplora {
  const { url, environment, observe } = options
  const upstream = createUpstream({ name: 'Bitcoin API', baseUrl: url, sendsText: true, observe })
  let isRightNetwork = false

  /** @returns undefined if the API rejects the request, for example because it does not know the transaction */
  async function find<T extends TSchema>(
    path: string,
    shape: SchemaCheck<T>
  ): Promise<Static<T> | undefined> {
    try {
      return await upstream.get(path, shape)
    } catch (error) {
      if (error instanceof UpstreamRefusalError && error.result === 'refused') return undefined
      throw error
    }
  }

  async function assertNetwork(): Promise<void> {
    if (isRightNetwork) return
    for (const hash of GENESIS[environment]) {
      const block = await find(`/block/${hash}`, blockShape)
      if (block?.id !== hash || block.height !== 0) continue
      isRightNetwork = true
      return
    }
    throw upstream.fault(`the API is not on a Bitcoin network of ${environment}`)
  }

  /** Reads only from the right network. */
  async function read<T extends TSchema>(path: string, shape: SchemaCheck<T>) {
    await assertNetwork()
    return upstream.get(path, shape)
  }

  return {
    assertNetwork,
    async balance(address) {
      const found = await read(`/address/${address}`, addressShape)
      const { chain_stats: chain, mempool_stats: mempool } = found
      const balance =
        chain.funded_txo_sum - chain.spent_txo_sum + mempool.funded_txo_sum - mempool.spent_txo_sum
      if (found.address !== address || !Number.isSafeInteger(balance) || balance < 0)
        throw upstream.fault('the response is not the balance of the address')
      return { balance }
    },
    utxos: address => read(`/address/${address}/utxo`, utxosShape),
    async tip() {
      const hash = await read('/blocks/tip/hash', hashShape)
      const block = await read(`/block/${hash}`, blockShape)
      if (block.id !== hash) throw upstream.fault('the response is another block')
      return block
    },
    async transaction(txid) {
      await assertNetwork()
      const transaction = await find(`/tx/${txid}`, transactionShape)
      if (transaction && (transaction.txid !== txid || idOf(transaction) !== txid))
        throw upstream.fault('the response is another transaction')
      return transaction
    },
    async outspend(txid, vout) {
      await assertNetwork()
      return find(`/tx/${txid}/outspend/${vout}`, outspendShape)
    },
    close: upstream.close
  }
}

/** Computes a transaction's id, so that an API cannot report other outputs. @returns undefined if it is malformed */
function idOf({ version, locktime, vin, vout }: Transaction): string | undefined {
  const inputs = vin.map(input => ({
    txid: hex.decode(input.txid),
    index: input.vout,
    finalScriptSig: hex.decode(input.scriptsig),
    sequence: input.sequence
  }))
  const outputs = vout.map(({ value, scriptpubkey }) => ({
    amount: BigInt(value),
    script: hex.decode(scriptpubkey)
  }))
  try {
    const plain = { version, segwitFlag: false, inputs, outputs, witnesses: [], lockTime: locktime }
    return hex.encode(sha256(sha256(RawTx.encode(plain))).reverse())
  } catch {
    return undefined
  }
}
