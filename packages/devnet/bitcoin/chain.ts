import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { Address, OutScript, RawTx, TEST_NETWORK } from '@scure/btc-signer'

/** The first block of testnet4, by which clients recognise the network. */
const GENESIS = '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043'
const NO_TXID = '00'.repeat(32)
const NO_INDEX = 0xffffffff

type RawTransaction = ReturnType<typeof RawTx.decode>

export interface Block {
  id: string
  height: number
  /** Unix time. */
  timestamp: number
  txids: string[]
}

export interface Tx {
  txid: string
  raw: RawTransaction
  /** Undefined in the mempool. */
  block: Block | undefined
}

export interface Coin {
  txid: string
  vout: number
}

/** An address, and satoshis for it. */
type Payment = readonly [to: string, sats: number]

/** The functions of a chain that an Esplora API uses. */
export interface EsploraChain {
  readonly blocks: readonly Block[]
  readonly txs: ReadonlyMap<string, Tx>
  /** The transactions that spend coins, by coin. */
  readonly spenders: ReadonlyMap<string, string>
  /** @throws Error if the transaction is invalid */
  broadcast(text: string): string | Promise<string>
}

const address = Address(TEST_NETWORK)
export const scriptOf = (text: string): Uint8Array => OutScript.encode(address.decode(text))
const doubleHash = (bytes: Uint8Array) => sha256(sha256(bytes))
export const keyOf = ({ txid, vout }: Coin) => `${txid}:${vout}`
export const isCoinbase = ({ raw }: Pick<Tx, 'raw'>) => raw.inputs[0]?.index === NO_INDEX

/**
 * Creates a simulated Bitcoin test network with blocks on request. Scripts and signatures are not checked, so anyone
 * may spend any coin.
 */
export function createBitcoinChain() {
  const blocks: Block[] = [{ id: GENESIS, height: 0, timestamp: now(), txids: [] }]
  const txs = new Map<string, Tx>()
  const spenders = new Map<string, string>()
  /** A counter that makes ids unique. */
  let count = 0

  const tip = () => blocks.at(-1) as Block
  const mempool = () => [...txs.values()].filter(({ block }) => block === undefined)

  function add(raw: RawTransaction): Tx {
    const txid = hex.encode(doubleHash(RawTx.encode({ ...raw, segwitFlag: false, witnesses: [] })).reverse())
    const tx = { txid, raw, block: undefined }
    for (const coin of coinsOf(tx)) {
      const spender = spenders.get(keyOf(coin))
      if (spender !== undefined) throw new Error(`${keyOf(coin)} is spent by ${spender}`)
    }
    for (const coin of coinsOf(tx)) spenders.set(keyOf(coin), txid)
    txs.set(txid, tx)
    return tx
  }

  /** Removes a transaction, and those that spend its outputs. */
  function remove(txid: string): void {
    const tx = txs.get(txid)
    if (tx === undefined) return
    txs.delete(txid)
    for (const coin of coinsOf(tx)) spenders.delete(keyOf(coin))
    for (const vout of tx.raw.outputs.keys()) remove(spenders.get(keyOf({ txid, vout })) ?? '')
  }

  function build(coin: Coin, payments: readonly Payment[]): RawTransaction {
    const { txid, vout: index } = coin
    const finalScriptSig =
      txid === NO_TXID
        ? Uint8Array.of(4, ...new Uint8Array(new Uint32Array([++count]).buffer))
        : new Uint8Array()
    return {
      version: 2,
      segwitFlag: false,
      inputs: [{ txid: hex.decode(txid), index, finalScriptSig, sequence: 0xfffffffd }],
      outputs: payments.map(([to, sats]) => ({ amount: BigInt(sats), script: scriptOf(to) })),
      witnesses: [],
      lockTime: 0
    }
  }

  /** @returns the new block */
  function mineOne(reward?: Payment): Block {
    const height = tip().height + 1
    const included = mempool()
    if (reward) included.unshift(add(build({ txid: NO_TXID, vout: NO_INDEX }, [reward])))
    const id = hex.encode(doubleHash(Buffer.from(`${tip().id} ${++count}`)))
    const block = {
      id,
      height,
      timestamp: Math.max(now(), tip().timestamp + 1),
      txids: included.map(({ txid }) => txid)
    }
    blocks.push(block)
    for (const tx of included) tx.block = block
    return block
  }

  return {
    blocks,
    txs,
    spenders,
    tip,
    /** Adds a signed transaction to the mempool. @throws Error if it spends a coin twice */
    broadcast: (text: string) => add(RawTx.decode(hex.decode(text))).txid,
    /** Pays from the given coin, or from a new one without a source. @returns the transaction's id */
    pay(payments: readonly Payment[], coin?: Coin): string {
      const from = coin ?? { txid: hex.encode(sha256(Buffer.from(`faucet ${++count}`))), vout: 0 }
      return add(build(from, payments)).txid
    },
    /** Replaces a transaction without a block by another one that spends the same coin. */
    replace(txid: string, payments: readonly Payment[]): string {
      const [coin] = coinsOf(txs.get(txid))
      remove(txid)
      return this.pay(payments, coin)
    },
    /** @param reward what the coinbase of the last block pays */
    mine(blockCount = 1, reward?: Payment): Block {
      for (let left = blockCount; left > 1; left--) mineOne()
      return mineOne(reward)
    },
    /** Removes the newest blocks. Their transactions return to the mempool. */
    reorganise(depth: number): void {
      for (const { txids } of blocks.splice(-depth)) {
        for (const txid of txids) {
          const tx = txs.get(txid)
          if (tx && isCoinbase(tx)) remove(txid)
          else if (tx) tx.block = undefined
        }
      }
    }
  }
}

export function coinsOf(tx: Pick<Tx, 'raw'> | undefined): Coin[] {
  if (tx === undefined || isCoinbase(tx)) return []
  return tx.raw.inputs.map(({ txid, index }) => ({ txid: hex.encode(txid), vout: index }))
}

const now = () => Math.floor(Date.now() / 1000)
