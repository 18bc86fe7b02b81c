import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { ChainClient } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import type { ImpedimentKind, SubmissionService } from '../submission/types.ts'
import type { ChainApi } from '../upstream/chain-api.ts'

const anything = TypeCompiler.Compile(Type.Unknown())

/** The check that fails for each impediment. The wallet's owner or the chain's operator must lift the signer's. */
const CHECKS: Record<ImpedimentKind, 'signer' | 'engine'> = {
  'wallet-unknown': 'signer',
  'wallet-not-whitelisted': 'signer',
  'insufficient-funds': 'signer',
  'fee-too-high': 'signer',
  'signature-refused': 'signer',
  'transactions-refused': 'signer',
  'node-unreachable': 'engine',
  'foreign-chain': 'engine'
}

export interface Check {
  ok: boolean
  /** Words of this service, never of an upstream (interface 15.4). */
  detail?: string
}

export type CheckName = 'store' | 'rpc' | 'chainApi' | 'signer' | 'engine'

export interface Readiness {
  ready: boolean
  checks: Record<CheckName, Check>
}

/**
 * Checks every dependency at once (interface 15.2 and 15.3). Each check is bounded by the time-out of its client. The
 * reason of a failure goes to the log.
 */
export function createReadiness(services: {
  store: Pick<SubmissionStore, 'countUnsettled'>
  chainClient: Pick<ChainClient, 'status'>
  chainApi: Pick<ChainApi, 'get'>
  submissions: Pick<SubmissionService, 'health'>
  log: Logger
}): () => Promise<Readiness> {
  const { store, chainClient, chainApi, submissions, log } = services

  async function attempt(name: CheckName, work: () => Promise<Check>): Promise<Check> {
    try {
      return await work()
    } catch (err) {
      log.warn({ err, check: name }, 'readiness check failed')
      return { ok: false, detail: 'unavailable' }
    }
  }

  async function storeCheck(): Promise<Check> {
    await store.countUnsettled()
    return { ok: true }
  }

  async function rpcCheck(): Promise<Check> {
    const { height } = await chainClient.status()
    return { ok: true, detail: `height ${height}` }
  }

  async function chainApiCheck(): Promise<Check> {
    await chainApi.get('/transaction/params', anything)
    return { ok: true }
  }

  function impedimentOf(check: 'signer' | 'engine'): Check | undefined {
    const impediment = submissions.health().impediments.find(({ kind }) => CHECKS[kind] === check)
    return impediment && { ok: false, detail: impediment.kind }
  }

  function engineCheck(): Check {
    const { height, unsettled, withoutTxId } = submissions.health()
    if (height === undefined) return { ok: false, detail: 'starting' }
    const missing = withoutTxId > 0 ? `, ${withoutTxId} committed without a transaction id` : ''
    return { ok: true, detail: `height ${height}, ${unsettled} unsettled${missing}` }
  }

  return async () => {
    const [storeResult, rpc, api] = await Promise.all([
      attempt('store', storeCheck),
      attempt('rpc', rpcCheck),
      attempt('chainApi', chainApiCheck)
    ])
    const signer = impedimentOf('signer') ?? { ok: true }
    const engine = impedimentOf('engine') ?? engineCheck()
    const checks = { store: storeResult, rpc, chainApi: api, signer, engine }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}
