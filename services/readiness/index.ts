import type { Check, CheckName, Readiness } from '../../schemas/readiness.ts'
import { onceAMinute } from '../async/once-a-minute.ts'
import { cachedRead } from '../caches/cached-read.ts'
import type { ChainClient } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import { anything } from '../schema-check.ts'
import type { BlockerKind, SubmissionService, SubmissionStore } from '../submission/contract.ts'
import { BLOCKERS } from '../submission/decide/blockers.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { engineCheck, failure, rpcCheck } from './checks.ts'

const FRESH_MS = 1000

const CHAIN_API_ACTION =
  'Ask the operator of the chain’s REST API, or change SERVICE_BACKEND_NODE_PROVIDER_QUERY and restart.'

const failed = (kind: BlockerKind): Check => failure(kind, BLOCKERS[kind].action)

/**
 * Checks all dependencies in parallel (interface 15.2, 15.3), and logs why a check fails, once a minute. Nodes are not
 * queried, because they are monitored continuously.
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
  isShadow: boolean
  log: Logger
}): () => Promise<Readiness> {
  const { store, chainClient, chainApi, submissions, isEmpty, isStopping, isIntakeClosed, isShadow, log } =
    services

  const reporterOf = (check: CheckName) =>
    onceAMinute<unknown>((failures, err) => log.warn({ err, check, failures }, 'readiness check failed'))
  const reportFailure = { store: reporterOf('store'), chainApi: reporterOf('chainApi') }

  async function attempt(
    name: keyof typeof reportFailure,
    action: string,
    work: () => Promise<void>
  ): Promise<Check> {
    try {
      await work()
      return { ok: true }
    } catch (err) {
      reportFailure[name](err)
      return failure('unavailable', action)
    }
  }

  function blockerOf(check: 'signer' | 'engine'): Check | undefined {
    const blocker = submissions.health().blockers.find(({ kind }) => BLOCKERS[kind].check === check)
    return blocker && failed(blocker.kind)
  }

  function engineResult(oldest: number | undefined): Check {
    if (isStopping()) return failure('stopping', 'Start it again, unless another server replaces it.')
    if (isShadow) return failure('shadow', 'Unset SERVICE_SHADOW to accept submissions.')
    const oldestMs = oldest === undefined ? undefined : store.now() - oldest
    const health = submissions.health()
    const result = blockerOf('engine') ?? engineCheck(health, oldestMs)
    if (!result.ok || !isIntakeClosed) return result
    return failure(
      `intake closed, ${health.unsettled} unsettled`,
      'Remove SERVICE_INTAKE and restart, or continue with the hand-over once no submission is unsettled.'
    )
  }

  async function check(): Promise<Readiness> {
    let oldest: number | undefined
    const [storeResult, api] = await Promise.all([
      attempt('store', BLOCKERS['store-unavailable'].action, async () => {
        oldest = await store.oldestUnsettled()
      }),
      attempt('chainApi', CHAIN_API_ACTION, async () => {
        await chainApi.get('/transaction/params', anything)
      })
    ])
    const rpc = rpcCheck(chainClient.health())
    // The engine would raise it with the first submission.
    const funds = isEmpty() ? failed('insufficient-funds') : { ok: true }
    const signer = blockerOf('signer') ?? funds
    const checks = { store: storeResult, rpc, chainApi: api, signer, engine: engineResult(oldest) }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }

  const read = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, check)
  return async () => (await read('ready')).value
}
