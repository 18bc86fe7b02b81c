import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { ChainClient } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import type { ImpedimentKind, SubmissionService } from '../submission/types.ts'
import type { ChainApi } from '../upstream/chain-api.ts'

const anything = TypeCompiler.Compile(Type.Unknown())

/** Impediments that the wallet's owner or the chain's operator must lift. */
const SIGNER_IMPEDIMENTS: readonly ImpedimentKind[] = [
  'wallet-unknown',
  'wallet-not-whitelisted',
  'insufficient-funds',
  'fee-too-high',
  'signature-refused',
  'transactions-refused'
]

export interface Check {
  ok: boolean
  /** In one word or two; never a text from outside. */
  detail?: string
}

export type CheckName = 'store' | 'rpc' | 'chainApi' | 'signer' | 'engine'

export interface Readiness {
  ready: boolean
  checks: Record<CheckName, Check>
}

/**
 * Whether the service can do its work now, dependency by dependency (contract §3, `/ready`). What an upstream says
 * goes to the log; the answer holds names of ours alone.
 * @returns a function that asks all of them at once, each with the bounded wait of its client
 */
export function createReadiness(services: {
  store: SubmissionStore
  chainClient: ChainClient
  chainApi: ChainApi
  submissions: SubmissionService
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

  function signerCheck(): Check {
    const { impediments } = submissions.health()
    const impediment = impediments.find(({ kind }) => SIGNER_IMPEDIMENTS.includes(kind))
    return impediment ? { ok: false, detail: impediment.kind } : { ok: true }
  }

  function engineCheck(): Check {
    const { impediments, height, unsettled } = submissions.health()
    const impediment = impediments.find(({ kind }) => !SIGNER_IMPEDIMENTS.includes(kind))
    if (impediment) return { ok: false, detail: impediment.kind }
    return height === undefined
      ? { ok: false, detail: 'starting' }
      : { ok: true, detail: `height ${height}, ${unsettled} unsettled` }
  }

  return async () => {
    const [storeResult, rpc, api] = await Promise.all([
      attempt('store', storeCheck),
      attempt('rpc', rpcCheck),
      attempt('chainApi', chainApiCheck)
    ])
    const checks = { store: storeResult, rpc, chainApi: api, signer: signerCheck(), engine: engineCheck() }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}
