import { isDeepStrictEqual } from 'node:util'
import { type ChainBlock, HistoryPrunedError, newestHeight } from '../../chain-client/index.ts'
import type { ComparableStore, Verification } from '../contract.ts'
import { type Comparison, compareContents, executedRequests } from '../decide/comparison.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Identify } from '../identities.ts'
import type { EngineContext } from './context.ts'

/** The pause between two blocks, which limits the load on the nodes. */
const STEP_MS = 250

/** The pause while there is nothing to compare, or while the engine has newer blocks to read. */
const PAUSE_MS = 1000

/** The pause between two reads of a block that differs. */
const AGAIN_MS = 30_000

/** The number of reads before a difference counts as certain without a second node. */
const READINGS = 4

/** How often the position is stored. */
const SAVE_MS = 10_000

/** The newest blocks are not compared, because they might be read and applied again. */
const MARGIN = 3

/** No further blocks are compared while this many differ. */
const MAX_DIFFERING = 100

const MAX_BEHIND_MS = 3_600_000

/** Compares a block with the store. @throws BlockResultError, StoreUnavailableError */
export async function compareBlock(
  block: ChainBlock,
  store: ComparableStore,
  wallet: { address: string; identify: Identify }
): Promise<Comparison> {
  const requests = executedRequests(block, wallet)
  return compareContents(block.height, await store.comparable(block, requests), requests)
}

const textsOf = ({ differences }: Comparison) => differences.map(({ text }) => text)

/** Compares each block with the store once more, some time after it was applied. Only reports differences. */
export function createVerifier(engine: EngineContext) {
  const { chain, store, clock, log, blockers, identify } = engine
  const wallet = { address: engine.wallet.address, identify }
  let state: Verification | undefined
  let savedAt: number | undefined
  let readings = 0
  let againAt = 0
  /** The time of the last compared block, or of the start. */
  let comparedTime = clock.now()

  /** @returns the lowest block that nodes have, if that is a later one; undefined if the block cannot be read now */
  async function read(height: number) {
    try {
      const block = await chain.block(height)
      if (!block) return undefined
      const first = await compareBlock(block, store, wallet)
      const isEqual = first.differences.length === 0
      const second = isEqual || !block.second ? undefined : await compareBlock(block.second, store, wallet)
      // A wrong response hardly ever equals the store, so use the response with fewer differences.
      const best = second && second.differences.length < first.differences.length ? second : first
      const isConfirmed = second !== undefined && isDeepStrictEqual(textsOf(first), textsOf(second))
      return { ...best, isConfirmed, time: block.time }
    } catch (err) {
      if (err instanceof StoreUnavailableError) throw err
      if (err instanceof HistoryPrunedError) return { lowest: err.lowest }
      log.debug({ err, height }, 'could not read a block again')
      return undefined
    }
  }

  function show(next: Verification): void {
    state = next
    const [first] = next.differing
    if (first) blockers.raise('results-differ', `block ${first.height} differs from the store`)
    else blockers.clear('results-differ', 'executions-differ')
  }

  /** Compares the next block, or one that differed. @returns the pause until the next step */
  async function compare(before: Verification, height: number, goal: number): Promise<number> {
    const found = await read(height)
    if (!found) return PAUSE_MS
    const known = before.differing.find(block => block.height === height)
    const differing = before.differing.filter(block => block !== known)
    if ('lowest' in found) {
      const to = known ? height : Math.max(height, Math.min(goal, found.lowest - 1))
      log.warn({ from: height, to }, 'no node has these blocks any more: they are not compared')
      const pruned = before.pruned + to - height + 1
      show({ ...before, differing, pruned, height: Math.max(before.height, to) })
      return STEP_MS
    }
    const { differences, matching, isConfirmed } = found
    const isDifferent = differences.length > 0
    if (!known) {
      readings += 1
      if (isDifferent && !isConfirmed && readings < READINGS) return AGAIN_MS
      readings = 0
      comparedTime = found.time
      if (isDifferent) log.error({ height, differences: textsOf(found) }, 'the store differs from the chain')
      if (differences.some(({ kind }) => kind === 'execution'))
        blockers.raise('executions-differ', textsOf(found).join('; '))
    }
    const count = new Set(differences.map(({ submissionId }) => submissionId)).size
    if (isDifferent) differing.push({ height, count })
    const proven = before.proven + (known ? Math.max(0, known.count - count) : matching)
    show({ ...before, differing, proven, height: Math.max(before.height, height) })
    return STEP_MS
  }

  return {
    get state(): Verification | undefined {
      return state
    },
    /** The loop step. Continues where the last term stopped, or begins with the next block. */
    async step(): Promise<number> {
      const { cursorHeight } = engine.walletState()
      const found = state ?? (await store.verification())
      if (!state) show(found ?? { height: cursorHeight, proven: 0, pruned: 0, differing: [] })
      if (!state || (newestHeight(chain.health()) ?? 0) > cursorHeight + MARGIN) return PAUSE_MS
      if (savedAt === undefined || clock.elapsed() >= savedAt + SAVE_MS) {
        await store.putVerification(state)
        savedAt = clock.elapsed()
      }
      const goal = cursorHeight - MARGIN
      const [differing] = state.differing
      if (differing && clock.elapsed() >= againAt) {
        againAt = clock.elapsed() + AGAIN_MS
        return compare(state, differing.height, goal)
      }
      if (state.height >= goal) comparedTime = clock.now()
      const isBehind = clock.now() - comparedTime > MAX_BEHIND_MS
      if (isBehind) blockers.raise('verification-behind', `block ${state.height + 1} is not compared`)
      else blockers.clear('verification-behind')
      const isWaiting = state.height >= goal || state.differing.length >= MAX_DIFFERING
      return isWaiting ? PAUSE_MS : compare(state, state.height + 1, goal)
    }
  }
}
