import { hex } from '@scure/base'
import { RawTx } from '@scure/btc-signer'
import {
  type Block,
  coinsOf,
  type EsploraChain,
  keyOf,
  type Tx
} from '../../../packages/devnet/bitcoin/chain.ts'
import { createEsploraServer } from '../../../packages/devnet/bitcoin/index.ts'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { startProcess } from '../../helpers/process.ts'
import type { Test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { btcdBinary } from '../binary.ts'

const HOST = '127.0.0.1'
/** Until then, this network has no witnesses. The first coinbases can be spent, too. */
const FIRST_BLOCKS = 432
const BLOCK_MS = 300
/** The first block of testnet4. The API shows it instead of the node's own: the server accepts no regression network. */
const TESTNET = '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043'
const ACCESS = ['user', 'password'] as const

interface RawBlock {
  time: number
  rawtx: { txid: string; hex: string }[]
}

/**
 * Starts a real Bitcoin node on a new regression network with a block every 300 ms, which pays the miner, and an Esplora
 * API for it, which reads the node after each transaction and block.
 */
export async function startBitcoin(t: Test, miner: string) {
  const folder = temporaryFolder(t)
  const address = `${HOST}:${await freePort(HOST)}`
  const flags = [
    ...['--regtest', '--notls', '--nolisten', '--nodnsseed', '--configfile=/dev/null'],
    ...[`--datadir=${folder}`, `--logdir=${folder}`, `--rpclisten=${address}`, `--miningaddr=${miner}`],
    ...[`--rpcuser=${ACCESS[0]}`, `--rpcpass=${ACCESS[1]}`]
  ]
  startProcess(t, btcdBinary, flags, {}, 'KILL')
  t.teardown(async () => {
    clearInterval(clock)
    await turn
  })

  async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const authorization = `Basic ${btoa(ACCESS.join(':'))}`
    const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params })
    const response = await fetch(`http://${address}`, { method: 'POST', headers: { authorization }, body })
    const { result, error } = (await response.json()) as { result: T; error: { message: string } | null }
    if (error) throw new Error(error.message)
    return result
  }

  let clock: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const blocks: Block[] = []
  const txs = new Map<string, Tx>()
  const spenders = new Map<string, string>()

  function add(txid: string, text: string, block?: Block): void {
    const tx = { txid, raw: RawTx.decode(hex.decode(text)), block }
    txs.set(txid, tx)
    for (const coin of coinsOf(tx)) spenders.set(keyOf(coin), txid)
  }

  /** Calls the node, then reads what is new, one call at a time. */
  function change<T>(method: string, ...params: unknown[]): Promise<T> {
    const changing = turn.then(async () => {
      const result = await rpc<T>(method, ...params)
      await read()
      return result
    })
    turn = changing.catch(() => {})
    return changing
  }

  async function read(): Promise<void> {
    const newest = await rpc<number>('getblockcount')
    for (let height = blocks.length; height <= newest; height++) {
      const hash = await rpc<string>('getblockhash', height)
      const { time: timestamp, rawtx } = await rpc<RawBlock>('getblock', hash, 2)
      const id = height === 0 ? TESTNET : hash
      const block = { id, height, timestamp, txids: rawtx.map(({ txid }) => txid) }
      blocks.push(block)
      for (const { txid, hex } of rawtx) add(txid, hex, block)
    }
    for (const txid of await rpc<string[]>('getrawmempool'))
      if (!txs.has(txid)) add(txid, await rpc('getrawtransaction', txid))
  }

  const broadcast = (text: string) => change<string>('sendrawtransaction', text)
  const chain: EsploraChain = { blocks, txs, spenders, broadcast }
  await until(() => rpc('getblockcount').catch(() => undefined), 'the Bitcoin node responds')
  await change('generate', FIRST_BLOCKS)
  clock = setInterval(() => change('generate', 1), BLOCK_MS)
  const { url, close } = await createEsploraServer(chain, { host: HOST, port: 0 })
  t.teardown(close)
  return { url, spenders }
}
