import { Type } from '@sinclair/typebox'
import type { Check, CheckName, Readiness } from '../../schemas/readiness.ts'
import { cachedRead } from '../caches/cached-read.ts'
import type { ChainClient } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import { checkFor } from '../schema-check.ts'
import type { BlockerKind, SubmissionService, SubmissionStore } from '../submission/contract.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { engineCheck, rpcCheck } from './checks.ts'

const anything = checkFor(Type.Unknown())

const FRESH_MS = 1000

/** The check that each blocker fails. Only the wallet's owner or the chain's operator can resolve `signer` blockers. */
const CHECKS: Record<BlockerKind, 'signer' | 'engine'> = {
  'wallet-unknown': 'signer',
  'wallet-not-whitelisted': 'signer',
  'requests-refused': 'engine',
  'gas-too-high': 'engine',
  'signer-unavailable': 'signer',
  'insufficient-funds': 'signer',
  'fee-too-high': 'signer',
  'daily-fee-limit': 'signer',
  'signature-refused': 'signer',
  'transactions-refused': 'signer',
  'node-unreachable': 'engine',
  'looking-back': 'engine',
  'foreign-chain': 'engine',
  'unknown-transactions': 'engine',
  'sequence-differs': 'engine',
  'history-pruned': 'engine',
  'nodes-disagree': 'engine',
  'store-corrupt': 'engine'
}

/** The engine would raise this blocker with the first submission. */
const NO_FUNDS: Check = { ok: false, detail: 'insufficient-funds' satisfies BlockerKind }

export const blockerKinds = Object.keys(CHECKS)

/**
 * Checks all dependencies in parallel (interface 15.2, 15.3), and logs why a check fails. Nodes are not queried,
 * because they are monitored continuously.
 * @returns a function whose result is at most a second old
 */
export function createReadiness(services: {
  store: Pick<SubmissionStore, 'oldestUnsettled' | 'now'>
  chainClient: Pick<ChainClient, 'health'>
  chainApi: Pick<ChainApi, 'get'>
  submissions: Pick<SubmissionService, 'health'>
  /** Whether the wallet has nothing to pay fees with. */
  isEmpty: () => boolean
  isStopping: () => boolean
  isIntakeClosed: boolean
  log: Logger
}): () => Promise<Readiness> {
  const { store, chainClient, chainApi, submissions, isEmpty, isStopping, isIntakeClosed, log } = services

  async function attempt(name: CheckName, work: () => Promise<void>): Promise<Check> {
    try {
      await work()
      return { ok: true }
    } catch (err) {
      log.warn({ err, check: name }, 'readiness check failed')
      return { ok: false, detail: 'unavailable' }
    }
  }

  function blockerOf(check: 'signer' | 'engine'): Check | undefined {
    const blocker = submissions.health().blockers.find(({ kind }) => CHECKS[kind] === check)
    return blocker && { ok: false, detail: blocker.kind }
  }

  function engineResult(oldest: number | undefined): Check {
    if (isStopping()) return { ok: false, detail: 'stopping' }
    const oldestMs = oldest === undefined ? undefined : store.now() - oldest
    const health = submissions.health()
    const result = blockerOf('engine') ?? engineCheck(health, oldestMs)
    if (!result.ok || !isIntakeClosed) return result
    return { ok: false, detail: `intake closed, ${health.unsettled} unsettled` }
  }

  async function check(): Promise<Readiness> {
    let oldest: number | undefined
    const [storeResult, api] = await Promise.all([
      attempt('store', async () => {
        oldest = await store.oldestUnsettled()
      }),
      attempt('chainApi', async () => {
        await chainApi.get('/transaction/params', anything)
      })
    ])
    const rpc = rpcCheck(chainClient.health())
    const signer = blockerOf('signer') ?? (isEmpty() ? NO_FUNDS : { ok: true })
    const checks = { store: storeResult, rpc, chainApi: api, signer, engine: engineResult(oldest) }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }

  const read = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, check)
  return async () => (await read('ready')).value
}
