import { setBalance } from '../../../packages/devnet/chain/bank/balances.ts'
import type { Block } from '../../../packages/devnet/chain/blocks/block-store.ts'
import { createProducer } from '../../../packages/devnet/chain/blocks/producer.ts'
import type { ChainBlock } from '../../../services/chain-client/index.ts'
import { resultsHash, upperHex } from '../../../services/chain-client/node/hashes.ts'
import type { Context } from '../context.ts'
import { createRecord } from '../oracle/record.ts'
import { type ChainPlan, createModelApp } from './app.ts'
import { createForeignTransactions } from './foreign.ts'
import { DENOM, WALLET_ADDRESS } from './messages.ts'
import { createNode, type ModelNode } from './node.ts'

/** Transactions that were in no mempool. All but those of the wallet mislead: they do not consume a sequence of it. */
type OddTransaction = 'ofTheWallet' | 'unordered' | 'failedEarly' | 'misreported'

export type Network = ReturnType<typeof createNetwork>

const asRead = (block: Block): ChainBlock => ({
  ...block,
  time: Date.parse(block.time),
  previousHash: block.lastBlockHash || undefined,
  resultsHash: upperHex(resultsHash(block.txs.map(({ result }) => result))),
  transactions: block.txs.map(({ hash, bytes, result }) => ({ hash, bytes, ...result }))
})

/** Creates the development network's chain, with several nodes and the seed's faults, on virtual time. */
export function createNetwork(context: Pick<Context, 'clock' | 'random' | 'trace'> & { plan: ChainPlan }) {
  const { plan, clock, random, trace } = context
  const { app, change } = createModelApp(plan)
  const producer = createProducer(app, clock.worldTime)
  const record = createRecord(app)
  const foreign = createForeignTransactions(random)
  const troubles = { isHalted: false, isShuffled: false }
  const listeners: (() => void)[] = []
  const gossiped = new Map<ModelNode, Set<Uint8Array>>()
  const blocks: { block: Block; read: ChainBlock }[] = []
  let odd: OddTransaction[] = []

  function commit(transactions: readonly Uint8Array[]): void {
    const block = producer.produce(transactions, blocks.at(-1)?.block)
    record.read(block)
    for (const kind of odd)
      if (kind === 'unordered' || kind === 'misreported') block.txs.unshift(foreign[kind](app.store))
    odd = []
    blocks.push({ block, read: asRead(block) })
  }

  for (let height = random.int(1, 10); height > 0; height--) commit([])
  const chain = {
    app,
    get height(): number {
      return blocks.length
    },
    block: (height: number) => blocks[height - 1]
  }
  const nodes = Array.from({ length: plan.nodeCount }, (_, index) => createNode(`node-${index}`, chain))

  function gossip(from: ModelNode, to: ModelNode): void {
    const known = gossiped.get(to) ?? new Set()
    gossiped.set(to, known)
    for (const bytes of from.waiting()) {
      if (known.has(bytes)) continue
      known.add(bytes)
      to.broadcast(bytes)
    }
  }

  function exchange(): void {
    const connected = nodes.filter(node => !node.troubles.isIsolated)
    for (const from of connected) for (const to of connected) if (from !== to) gossip(from, to)
  }

  function proposal(): Uint8Array[] {
    const upToDate = nodes.filter(node => node.height() === chain.height)
    const transactions = upToDate.length > 0 ? random.pick(upToDate).reap() : []
    if (troubles.isShuffled) transactions.sort(() => (random.chance(0.5) ? 1 : -1))
    for (const _ of odd.filter(kind => kind === 'ofTheWallet')) {
      const place = random.int(0, transactions.length)
      transactions.splice(place, 0, foreign.ofTheWallet(app.store, place))
    }
    if (random.chance(0.2)) transactions.unshift(foreign.ofAnother(app.store))
    return transactions
  }

  function produce(): void {
    if (nodes.length > 1 && random.chance(0.8)) exchange()
    const early = odd.filter(kind => kind === 'failedEarly').map(() => foreign.failedEarly(app.store))
    commit([...early, ...proposal()])
    trace(() => {
      const { txs = [] } = chain.block(chain.height)?.block ?? {}
      const content = txs.map(
        ({ hash, result: { code } }) => hash.slice(0, 8) + (code ? `(code ${code})` : '')
      )
      return `chain: block ${chain.height} [${content.join(' ')}]`
    })
    for (const node of nodes) node.catchUp()
    for (const listener of listeners) listener()
  }

  function start(): void {
    const { blockMs } = plan
    clock.after(random.int(Math.ceil(blockMs * 0.8), Math.ceil(blockMs * 1.2)), () => {
      if (!troubles.isHalted) produce()
      start()
    })
  }

  return {
    chain,
    record,
    nodes,
    troubles,
    change,
    fund: (amount: bigint) => setBalance(app.store, WALLET_ADDRESS, { denom: DENOM, amount }),
    addToNextBlock: (kind: OddTransaction) => void odd.push(kind),
    sendForeign(node: ModelNode): void {
      const { status } = node.broadcast(foreign.ofTheWallet(node.checkState()))
      trace(() => `chain: a transaction of another program at ${node.name}: ${status}`)
    },
    /** Restarts a node. The other nodes resend their pending transactions to the restarted node. */
    restart(node: ModelNode): void {
      node.restart()
      gossiped.delete(node)
    },
    onBlock: (listener: () => void) => void listeners.push(listener),
    start
  }
}
