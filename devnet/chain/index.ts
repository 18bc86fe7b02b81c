import { createApp } from './app.ts'
import { createBlockStore } from './blocks/block-store.ts'
import { createClock } from './blocks/clock.ts'
import { createProducer } from './blocks/producer.ts'
import { createCheckState } from './mempool/check-state.ts'
import { createMempool } from './mempool/mempool.ts'
import { type ChainOptions, withDefaults } from './options.ts'
import { getTx } from './queries/get-tx.ts'
import { createQueries } from './queries/index.ts'
import { simulate } from './queries/simulate.ts'
import type { Block, Chain, ChainControl, ChainModule } from './types.ts'
import { createValidator } from './validator.ts'

/**
 * Makes a chain of one validator with the modules auth and bank and those given. It does nothing before `start`.
 * @throws GenesisError naming the field of the genesis that cannot be used
 */
export function createChain(
  options: Partial<ChainOptions> & Pick<ChainOptions, 'genesis'>,
  modules: readonly ChainModule[]
): Chain & ChainControl {
  const settings = withDefaults(options)
  const { genesis, maxBlockBytes, maxBlockGas, mempoolSize } = settings
  const app = createApp(settings, modules)
  const validator = createValidator(app.chainId)
  const blocks = createBlockStore()
  const checkState = createCheckState(app)
  const mempool = createMempool({
    size: mempoolSize,
    maxBlockBytes,
    maxBlockGas,
    check: checkState.checkTx
  })
  const producer = createProducer({ app, decode: checkState.decoded, validatorAddress: validator.address })
  const query = createQueries(app, {
    '/cosmos.tx.v1beta1.Service/Simulate': request => simulate(app, request, checkState.context),
    '/cosmos.tx.v1beta1.Service/GetTx': request => getTx(blocks, request)
  })
  const listeners = new Set<(block: Block) => void>()

  function height(): number {
    return blocks.newest?.height ?? 0
  }

  function produceBlock(): Block {
    const block = producer.produce(mempool.reap(), blocks.newest)
    blocks.add(block)
    checkState.reset(block.height, block.time)
    mempool.update(block.txs)
    for (const { hash } of block.txs) checkState.forget(hash)
    for (const listener of listeners) listener(block)
    return block
  }

  const clock = createClock(settings.blockTimeMs, produceBlock)

  return {
    chainId: app.chainId,
    genesis,
    validator,
    consensusParams: { maxBytes: maxBlockBytes, maxGas: maxBlockGas },
    get height() {
      return height()
    },
    get appHash() {
      return producer.appHash
    },
    mempool,
    state: app.store,
    block: blocks.block,
    blockByHash: blocks.blockByHash,
    tx: blocks.tx,
    submitTx: mempool.add,
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
    setBlockTime: clock.setPeriod
  }
}
