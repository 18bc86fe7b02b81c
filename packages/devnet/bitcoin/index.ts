import { hex } from '@scure/base'
import { Address, OutScript, TEST_NETWORK } from '@scure/btc-signer'
import { Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import {
  type Block,
  type Coin,
  coinsOf,
  type createBitcoinChain,
  type EsploraChain,
  isCoinbase,
  keyOf,
  scriptOf,
  type Tx
} from './chain.ts'

/** Starts an Esplora API for a chain, with `POST /faucet` and `POST /mine` if the chain can pay and mine. */
export async function createEsploraServer(
  chain: EsploraChain & Partial<Pick<ReturnType<typeof createBitcoinChain>, 'pay' | 'mine'>>,
  options: ListenOptions
): Promise<RunningServer> {
  const app = createApp()
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  const one = <T>(path: string, find: (id: string, n: number) => T | undefined) =>
    app.get<{ Params: { id: string; n: string } }>(path, async ({ params }, reply) => {
      const found = find(params.id, Number(params.n))
      return found ?? reply.code(404).type('text/plain').send('not found')
    })

  app.get('/blocks/tip/height', () => chain.blocks.at(-1)?.height)
  app.get('/blocks/tip/hash', (_request, reply) => reply.type('text/plain').send(chain.blocks.at(-1)?.id))
  one('/block/:id', id => blockView(chain.blocks.find(block => block.id === id)))
  one('/tx/:id', id => txView(chain, chain.txs.get(id)))
  one('/tx/:id/outspend/:n', (txid, vout) => spendView(chain, { txid, vout }))
  one('/address/:id', id => addressView(chain, id))
  one('/address/:id/utxo', id =>
    outputsOf(chain, id)
      .filter(coin => !chain.spenders.has(keyOf(coin)))
      .map(({ tx, vout, value }) => ({ txid: tx.txid, vout, value, status: statusOf(tx) }))
  )
  app.post<{ Body: string }>('/tx', async ({ body }, reply) => {
    try {
      return await reply.type('text/plain').send(await chain.broadcast(body.trim()))
    } catch (error) {
      return reply.code(400).type('text/plain').send(String(error))
    }
  })
  const body = Type.Object({ address: Type.String(), amountSats: Type.Integer({ minimum: 1 }) })
  app.post('/faucet', { schema: { body } }, ({ body: { address, amountSats } }) => ({
    txid: chain.pay?.([[address, amountSats]])
  }))
  app.post('/mine', () => blockView(chain.mine?.()))
  return listen(app, options)
}

const blockView = (block: Block | undefined) =>
  block && { id: block.id, height: block.height, timestamp: block.timestamp, tx_count: block.txids.length }

function statusOf({ block }: Tx) {
  if (block === undefined) return { confirmed: false }
  const { height: block_height, id: block_hash, timestamp: block_time } = block
  return { confirmed: true, block_height, block_hash, block_time }
}

function spendView({ txs, spenders }: EsploraChain, coin: Coin) {
  if (!txs.has(coin.txid)) return undefined
  const spender = txs.get(spenders.get(keyOf(coin)) ?? '')
  if (spender === undefined) return { spent: false }
  const vin = coinsOf(spender).findIndex(spent => keyOf(spent) === keyOf(coin))
  return { spent: true, txid: spender.txid, vin, status: statusOf(spender) }
}

function txView({ txs }: EsploraChain, tx: Tx | undefined) {
  if (tx === undefined) return undefined
  const { version, lockTime: locktime, inputs, outputs } = tx.raw
  const vin = inputs.map(input => {
    const txid = hex.encode(input.txid)
    const spent = txs.get(txid)?.raw.outputs[input.index]
    return {
      txid,
      vout: input.index,
      prevout: spent ? outputView(spent) : null,
      scriptsig: hex.encode(input.finalScriptSig),
      is_coinbase: isCoinbase(tx),
      sequence: input.sequence
    }
  })
  return { txid: tx.txid, version, locktime, vin, vout: outputs.map(outputView), status: statusOf(tx) }
}

function outputView({ amount, script }: Tx['raw']['outputs'][number]) {
  return {
    scriptpubkey: hex.encode(script),
    scriptpubkey_address: Address(TEST_NETWORK).encode(OutScript.decode(script)),
    value: Number(amount)
  }
}

function outputsOf({ txs }: EsploraChain, address: string) {
  const script = hex.encode(scriptOf(address))
  return [...txs.values()].flatMap(tx =>
    tx.raw.outputs.flatMap((output, vout) =>
      hex.encode(output.script) === script ? [{ tx, txid: tx.txid, vout, value: Number(output.amount) }] : []
    )
  )
}

function addressView(chain: EsploraChain, address: string) {
  const sum = (isConfirmed: boolean) => {
    const isCounted = (tx: Tx | undefined) => tx !== undefined && (tx.block !== undefined) === isConfirmed
    const spender = (coin: Coin) => chain.txs.get(chain.spenders.get(keyOf(coin)) ?? '')
    const outputs = outputsOf(chain, address)
    const total = (some: typeof outputs) => some.reduce((all, { value }) => all + value, 0)
    return {
      funded_txo_sum: total(outputs.filter(({ tx }) => isCounted(tx))),
      spent_txo_sum: total(outputs.filter(output => isCounted(spender(output))))
    }
  }
  return { address, chain_stats: sum(true), mempool_stats: sum(false) }
}
