import {
  type AccountReport,
  type BroadcastResult,
  type ChainBlock,
  type ChainClient,
  type ChainNode,
  NodeUnavailableError,
  type SimulationResult,
  transactionHash
} from '../../../../services/chain-client/index.ts'
import { seekQuorum } from '../../../../services/chain-client/pool/index.ts'
import type { Clock } from '../../../../services/clock.ts'
import { createBlockers } from '../../../../services/submission/act/blockers.ts'
import { createContext } from '../../../../services/submission/act/context.ts'
import type { SignedTx } from '../../../../services/submission/contract.ts'
import { createEngineStore } from '../../../../services/submission/store/engine-writes.ts'
import { termWrites } from '../../../../services/submission/store/term.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { wallet as testWallet } from '../../../helpers/wallet.ts'
import { createMemoryDatabase } from '../../../simulation/store/memory-database.ts'
import { chainBlock, signedBytes } from '../../chain-block.ts'
import { request } from '../store-data.ts'

/** The message that stands for the wallet's control request. */
export const CONTROL_REQUEST = { typeUrl: '/test.ControlRequest', value: new Uint8Array() }

export const passed = (gasUsed: number): SimulationResult => ({ status: 'passed', gasUsed })

export const unavailable: SimulationResult = { status: 'unavailable', timedOut: false, reason: 'no response' }

export const silent = (): never => {
  throw new NodeUnavailableError('node.example', 'no response')
}

export function failed(log: string, code = 6, codespace = 'sdk'): SimulationResult {
  return { status: 'failed', code, codespace, log }
}

const CURSOR = { cursorHeight: 100, cursorHash: 'B100', cursorResultsHash: 'NONE' }
const START = { nextSequence: 7, controlPassed: true, ...CURSOR }

/** Scripted responses of the chain. A test may change them at any time. */
export interface ChainScript {
  blockGas: number
  blockBytes: number | undefined
  /** Gas prices that the nodes require. */
  prices: { denom: string; amount: string }[]
  /** @param height the block after which the state is read; omit for the newest block */
  account(height?: number): AccountReport
  /**
   * @param messages number of messages in the transaction
   * @param isControlRequest true if the transaction starts with the control request, with or without further messages
   */
  simulate(messages: number, isControlRequest: boolean): SimulationResult
  broadcast(bytes: Uint8Array): BroadcastResult | Promise<BroadcastResult>
  height: number
  block(height: number): ChainBlock | undefined | Promise<ChainBlock | undefined>
}

/**
 * Creates the context shared by an engine's workers, with an in-memory store and a scripted chain.
 * @param other the responses of a second node that differ from the script; omit for a single node
 */
export async function engineContext(other?: Partial<ChainScript>) {
  const database = createMemoryDatabase()
  const store = database.open()
  /** Belongs to no term: its writes fail once a term begins. */
  const engineStore = createEngineStore(database.context, termWrites(database.context, 0))
  const { log, entries } = keepingLog()
  const time = { now: 1_000_000, elapsed: 0 }
  const clock: Clock = { now: () => time.now, elapsed: () => time.elapsed, after: () => () => {} }
  const wallet = { ...testWallet }
  const script: ChainScript = {
    blockGas: 10_000_000,
    blockBytes: undefined,
    prices: [],
    account: () => undefined,
    simulate: messages => passed(100_000 * messages),
    broadcast: () => ({ status: 'accepted' }),
    height: START.cursorHeight,
    block: height => (height <= script.height ? chainBlock(height) : undefined)
  }

  function nodeOf(name: string, by: () => ChainScript) {
    const node: ChainNode = {
      host: name,
      status: () => Promise.reject(new TypeError('only the pool requests a status')),
      account: async (_address, height) => by().account(height),
      blockLimits: async () => ({ gas: by().blockGas, bytes: by().blockBytes }),
      balance: async () => 0n,
      requiredPrices: async () => ({ prices: by().prices, areAll: true }),
      simulate: async ({ messages }) =>
        by().simulate(messages.length, messages[0]?.typeUrl === CONTROL_REQUEST.typeUrl),
      broadcast: async bytes => by().broadcast(bytes),
      block: async height => by().block(height),
      onNewBlock() {},
      async close() {}
    }
    return { name, node }
  }

  const first = nodeOf('node-1', () => script)
  const nodes = other ? [first, nodeOf('node-2', () => ({ ...script, ...other }))] : [first]

  const asked: Parameters<typeof seekQuorum>[0] = nodes.map(({ name, node }) => ({
    name,
    ask: (_question, work) => work(node)
  }))

  const chain: ChainClient = {
    status: async () => ({ chainId: 'chain-1', height: script.height }),
    crossCheck: check => seekQuorum(asked, !other, check),
    balance: async () => 0n,
    simulate: async simulation => ({ ...(await first.node.simulate(simulation)), node: first.name }),
    async simulateEverywhere(simulation) {
      const answers = await Promise.all(nodes.map(({ node }) => node.simulate(simulation)))
      return answers.map((answer, index) => ({ ...answer, node: `node-${index + 1}`, isBehind: false }))
    },
    broadcast: bytes => first.node.broadcast(bytes),
    async block(height) {
      const block = await script.block(height)
      return block && { ...block, node: 'node-1' }
    },
    expectChain() {},
    quarantine: () => false,
    health: () =>
      nodes.map(({ name: host }) => ({
        host,
        height: script.height,
        earliestHeight: 1,
        blockAgeMs: 0,
        reading: true,
        sending: true,
        blockIntervalMs: undefined
      })),
    onNewBlock() {},
    onNodeChange() {},
    async close() {}
  }

  const settings = { feeDenom: 'unit', gasPrice: '0.01', lookBackBlocks: 1000 }
  const engine = createContext(
    {
      chain,
      wallet,
      controlRequest: CONTROL_REQUEST,
      identify: () => ({ identities: [] }),
      settings,
      clock,
      spanOf: () => undefined
    },
    {
      store: engineStore,
      feesPaidToday: () => store.feesPaidToday(),
      log,
      inTerm: change => change(),
      onSigned() {},
      onSettled() {},
      blockers: createBlockers({ log, clock, onChange() {} })
    }
  )
  const { slots } = engine
  const account = { address: wallet.address, chainId: 'chain-1', accountNumber: 1n, ...START }
  await engineStore.putWalletState(account)
  engine.setWalletState(account)

  return {
    engine,
    kinds: () => engine.blockers.present.map(({ kind }) => kind),
    /** The store of one replica; open further replicas with `database`. */
    store,
    database,
    script,
    time,
    entries,
    async queue(...ids: string[]) {
      await store.take(ids.map(submissionId => ({ ...request(submissionId), submissionId })))
    },
    async open(submissionIds: string[]): Promise<SignedTx> {
      const sequence = engine.walletState().nextSequence
      const requests = submissionIds.map(id => request(id))
      const messages = requests.map(({ typeUrl, message }) => ({ typeUrl, value: message }))
      const bytes = signedBytes(sequence, { messages })
      const amounts = { gasLimit: 100_000, feeAmount: 1000n }
      const signedTx = { sequence, submissionIds, bytes, hash: transactionHash(bytes), ...amounts }
      await engineStore.openSlot(signedTx)
      engine.setWalletState({ ...engine.walletState(), nextSequence: sequence + 1 })
      slots.add(signedTx)
      return signedTx
    },
    markAllSent() {
      for (let slot = slots.nextToSend(); slot; slot = slots.nextToSend())
        slot.sentAt = engine.walletState().cursorHeight
    }
  }
}
