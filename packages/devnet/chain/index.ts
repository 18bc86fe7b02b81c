import { createSignatureVerifier } from '../modules/auth/verify-signature.ts'
import { createApp } from './app.ts'
import type { Block } from './blocks/block.ts'
import { createBlockStore } from './blocks/block-store.ts'
import { createClock } from './blocks/clock.ts'
import { createProducer } from './blocks/producer.ts'
import type { Chain } from './chain.ts'
import type { ChainControl } from './control.ts'
import { createLaggingNode } from './lagging-node.ts'
import { createCheckState } from './mempool/check-state.ts'
import { createFaultySubmit } from './mempool/faulty-submit.ts'
import { createMempool } from './mempool/mempool.ts'
import { atomicPrice } from './min-gas-price.ts'
import type { ChainModule } from './module.ts'
import { type GivenOptions, withDefaults } from './options.ts'
import { createQueries } from './queries/index.ts'
import { simulate } from './queries/simulate.ts'
import { rfc3339 } from './time.ts'
import { createValidator } from './validator.ts'

/** The zero time of a block header. */
const ZERO_TIME = '0001-01-01T00:00:00Z'

/** Creates a chain of one validator with auth, bank and the given modules. It produces no block before `start`. */
export function createChain(options: GivenOptions, modules: readonly ChainModule[]): Chain & ChainControl {
  const settings = withDefaults(options)
  const { maxBlockBytes, maxBlockGas, mempoolSize } = settings
  const app = createApp(settings, modules)
  const validator = createValidator(app.chainId)
  const blocks = createBlockStore()
  const checkState = createCheckState(app)
  const limits = { size: mempoolSize, maxBlockBytes, maxBlockGas, check: checkState.checkTx }
  const currentParams = () => ({ maxBytes: maxBlockBytes, maxGas: limits.maxBlockGas })
  const mempool = createMempool(limits)
  const faultySubmit = createFaultySubmit(mempool)
  const producer = createProducer({
    app,
    decode: checkState.decoded,
    validator,
    consensusParams: currentParams,
    genesisTime: rfc3339(Date.now())
  })
  const query = createQueries(app, {
    '/cosmos.tx.v1beta1.Service/Simulate': request => simulate(app, request, checkState.context)
  })
  const listeners = new Set<(block: Block) => void>()
  let base = 1

  function height(): number {
    return blocks.newest?.height ?? 0
  }

  /** Rechecks the mempool: after `block`, or without one, after transactions were removed. */
  function recheck(block?: Block): void {
    checkState.reset(height(), blocks.newest?.time ?? '')
    mempool.update(block?.txs ?? [])
  }

  function produceBlock(): Block {
    const block = producer.produce(mempool.reap(), blocks.newest)
    blocks.add(block)
    recheck(block)
    for (const { hash } of block.txs) checkState.forget(hash)
    for (const listener of listeners) listener(block)
    return block
  }

  const clock = createClock(settings.blockTimeMs, produceBlock)

  const chain: Chain & ChainControl = {
    get chainId() {
      return app.chainId
    },
    get initialHeight() {
      return app.initialHeight
    },
    validator,
    get consensusParams() {
      return currentParams()
    },
    get height() {
      return height()
    },
    get base() {
      return base
    },
    get appHash() {
      return producer.appHash
    },
    mempool,
    state: app.store,
    block: blocks.block,
    tx(hash) {
      const found = blocks.tx(hash)
      return found && found.height >= app.initialHeight ? found : undefined
    },
    submitTx: faultySubmit.submit,
    query: (path, data, at) => query(path, data, at, height()),
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      if (height() === 0) produceBlock()
      clock.start()
    },
    stop: clock.stop,
    produceBlock,
    pause: clock.stop,
    resume: clock.start,
    restart() {
      mempool.clear()
      checkState.reset(0, ZERO_TIME)
    },
    failSubmissions: faultySubmit.fail,
    failMessages: app.messageFaults.set,
    setMempoolSize(size) {
      limits.size = size
    },
    setMaxBlockGas(gas) {
      limits.maxBlockGas = gas
      app.maxBlockGas = gas
    },
    setMinGasPrice(price) {
      app.minGasPrice = atomicPrice(price)
    },
    prune(oldest) {
      base = Math.max(base, Math.min(oldest, height()))
    },
    upgrade(chainId) {
      base = height() + 1
      app.chainId = chainId
      app.initialHeight = base
      app.verifySignature = createSignatureVerifier(chainId)
      mempool.clear()
      recheck()
      produceBlock()
    },
    editState(change) {
      change(app.store)
      change(checkState.context.state)
    },
    get pendingState() {
      return checkState.context.state
    },
    createLaggingNode: lag => createLaggingNode({ chain, app, blocks, limits, lag })
  }
  return chain
}
