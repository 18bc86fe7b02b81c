import type { BlockTransaction, ChainBlock } from '../../../services/chain-client/index.ts'
import { resultsHash } from '../../../services/chain-client/node/hashes.ts'
import { runAnte, runMessages, validate, type WalletState } from './execution.ts'
import { bareResult, consumedEvent, type Sdk, succeededResult } from './results.ts'
import { isLockName, type ModelTransaction, targetOf } from './transaction.ts'

export const CHAIN_ID = 'model-1'

export const NO_RESULTS = resultsHash([]).toString('hex')

/** An execution of a message that succeeded without an `error` event. */
export interface Execution {
  identity: string
  content: string
  height: number
  hash: string
  /** A lock has none. */
  txId: number | undefined
}

export type Ledger = ReturnType<typeof createLedger>

/**
 * Creates the state that all nodes agree on: the blocks, and the wallet's account after each block.
 * @param options.worldTime the true time, in milliseconds since the epoch; only the service's clock can differ
 */
export function createLedger(options: {
  address: string
  height: number
  state: WalletState
  blockGas: number
  sdk: Sdk
  worldTime: () => number
}) {
  const { address, height: firstHeight, state, blockGas, sdk, worldTime } = options
  const blocks = new Map<number, ChainBlock>()
  const times = new Map<number, number>()
  const states = new Map<number, WalletState>()
  const executions = new Map<string, Execution[]>()
  /** How often each message has failed as the only message in its transaction, by identity. */
  const failedAlone = new Map<string, number>()
  /** The target of the first message of each identity in a block, executed or not: then everybody knows its seed. */
  const firstTargets = new Map<string, string>()
  const consumed = new Map<number, ModelTransaction>()
  let height = firstHeight - 1
  let hash = 'GENESIS'
  let lastTxId = 0
  let pending = { ...state }

  function execute({ hash: transaction, messages }: ModelTransaction, at: number): (number | undefined)[] {
    return messages.map(({ identity, content, behaviour }) => {
      if (behaviour === 'refused-by-event' || behaviour === 'transfer') return 0
      const isLock = isLockName(identity)
      if (isLock) pending.locks = [...(pending.locks ?? []), identity]
      else lastTxId += 1
      const txId = isLock ? undefined : lastTxId
      const execution = { identity, content, height: at, hash: transaction, txId }
      executions.set(identity, [...(executions.get(identity) ?? []), execution])
      return txId
    })
  }

  function deliver(transaction: ModelTransaction, at: number): BlockTransaction {
    const early = validate(transaction) ?? runAnte(transaction, pending, { blockGas })
    if (early) return bareResult(transaction, early, [], 0)
    const { sequence, otherSigners = [] } = transaction
    consumed.set(sequence, transaction)
    for (const { identity, content } of transaction.messages)
      if (!firstTargets.has(identity)) firstTargets.set(identity, targetOf(content))
    const events = [...otherSigners, `${address}/${sequence}`].map(consumedEvent)
    const { gasUsed, failure } = runMessages(transaction, pending, { blockGas, isSimulation: false })
    if (failure) {
      const [message, ...others] = transaction.messages
      if (message && others.length === 0) {
        failedAlone.set(message.identity, (failedAlone.get(message.identity) ?? 0) + 1)
      }
      return bareResult(transaction, failure, events, gasUsed)
    }
    return succeededResult(transaction, { consumed: events, gasUsed, txIds: execute(transaction, at), sdk })
  }

  function produce(transactions: readonly ModelTransaction[], noise: readonly BlockTransaction[] = []) {
    const at = height + 1
    const results = transactions.map(transaction => deliver(transaction, at))
    const previousHash = hash
    const all = [...noise, ...results]
    hash = `B${at}`
    blocks.set(at, {
      chainId: CHAIN_ID,
      height: at,
      hash,
      time: worldTime(),
      previousHash,
      resultsHash: resultsHash(all).toString('hex'),
      lastResultsHash: blocks.get(at - 1)?.resultsHash ?? NO_RESULTS,
      transactions: all
    })
    states.set(at, { ...pending })
    times.set(at, worldTime())
    height = at
    return results
  }

  produce([])

  return {
    blockGas,
    firstHeight,
    get height(): number {
      return height
    },
    block: (at: number) => blocks.get(at),
    blockTime: (at: number) => times.get(at) ?? 0,
    stateAt: (at: number): WalletState => states.get(at) ?? pending,
    change(change: Partial<WalletState>): void {
      pending = { ...pending, ...change }
    },
    produce,
    executions,
    failedAlone,
    firstTargets,
    consumed
  }
}
