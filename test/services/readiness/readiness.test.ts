import { test } from 'tap'
import { createReadiness } from '../../../services/readiness/index.ts'
import type { EngineHealth, ImpedimentKind } from '../../../services/submission/types.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'

const fails = async () => {
  throw new Error('words of an upstream')
}

/** Readiness over dependencies that are well, apart from what is given. */
function readinessWith(
  changes: Partial<{
    countUnsettled: () => Promise<number>
    status: () => Promise<{ chainId: string; height: number }>
    get: () => Promise<undefined>
    health: Partial<EngineHealth>
  }>
) {
  const { log, entries } = keepingLog()
  const well = { impediments: [], height: 7, unsettled: 2, withoutTxId: 0 }
  const health: EngineHealth = { ...well, ...changes.health }
  const ready = createReadiness({
    store: { countUnsettled: changes.countUnsettled ?? (async () => 2) },
    chainClient: { status: changes.status ?? (async () => ({ chainId: 'service-1', height: 8 })) },
    chainApi: { get: changes.get ?? (async () => undefined) },
    submissions: { health: () => health },
    log
  })
  return { ready, entries }
}

const WELL = {
  store: { ok: true },
  rpc: { ok: true, detail: 'height 8' },
  chainApi: { ok: true },
  signer: { ok: true },
  engine: { ok: true, detail: 'height 7, 2 unsettled' }
}

test('a service is ready when every check passes', async t => {
  const { ready, entries } = readinessWith({})
  t.strictSame(await ready(), { ready: true, checks: WELL })
  t.same(entries, [])
})

const DEPENDENCIES = {
  store: { countUnsettled: fails },
  rpc: { status: fails },
  chainApi: { get: fails }
}
for (const [check, change] of Object.entries(DEPENDENCIES)) {
  test(`a failure of ${check} is named in the answer, and its reason only in the log`, async t => {
    const { ready, entries } = readinessWith(change)
    t.strictSame(await ready(), {
      ready: false,
      checks: { ...WELL, [check]: { ok: false, detail: 'unavailable' } }
    })
    t.match(entries, [{ level: 'warn', fields: { check, err: { message: 'words of an upstream' } } }])
  })
}

const IMPEDIMENTS: [ImpedimentKind, 'signer' | 'engine'][] = [
  ['wallet-unknown', 'signer'],
  ['wallet-not-whitelisted', 'signer'],
  ['insufficient-funds', 'signer'],
  ['fee-too-high', 'signer'],
  ['signature-refused', 'signer'],
  ['transactions-refused', 'signer'],
  ['node-unreachable', 'engine'],
  ['foreign-chain', 'engine']
]
test('each impediment fails the check of interface 15.3', async t => {
  for (const [kind, check] of IMPEDIMENTS) {
    const impediments = [{ kind, reason: 'words of the chain', since: '' }]
    const { ready } = readinessWith({ health: { impediments } })
    t.strictSame(await ready(), { ready: false, checks: { ...WELL, [check]: { ok: false, detail: kind } } })
  }
})

test('an engine that has read no block yet is starting', async t => {
  const { ready } = readinessWith({ health: { height: undefined } })
  t.strictSame(await ready(), {
    ready: false,
    checks: { ...WELL, engine: { ok: false, detail: 'starting' } }
  })
})

test('submissions without a transaction id are counted, and do not make the service unready', async t => {
  const { ready } = readinessWith({ health: { withoutTxId: 3 } })
  const engine = { ok: true, detail: 'height 7, 2 unsettled, 3 committed without a transaction id' }
  t.strictSame(await ready(), { ready: true, checks: { ...WELL, engine } })
})
