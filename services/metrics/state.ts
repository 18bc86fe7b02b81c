import type { Readiness } from '../../schemas/readiness.ts'
import { within } from '../async/within.ts'
import type { ChainClient } from '../chain-client/index.ts'
import type { Balance } from '../funds/balance.ts'
import { BLOCKER_KINDS, type SubmissionService, type SubmissionStore } from '../submission/contract.ts'
import type { Outbox } from '../submission/store/outbox.ts'
import type { Instruments } from './instruments.ts'

export interface StateSources {
  readiness: () => Promise<Readiness>
  submissions: Pick<SubmissionService, 'health'>
  chainClient: Pick<ChainClient, 'health'>
  store: Pick<SubmissionStore, 'oldestUnsettled' | 'feesPaidToday' | 'now'> & {
    outbox?: Pick<Outbox, 'backlog'>
  }
  funds: {
    denom: string
    balance: Pick<Balance, 'read'>
    dailyFeeLimit: bigint | undefined
  }
}

/** How long `/metrics` waits for the wallet's balance, in milliseconds: nodes might not respond. */
const BALANCE_MS = 1000

const seconds = (ms: number) => ms / 1000

/** Returns a function that updates the gauges. An unreadable time or count is NaN; an unreadable amount is removed. */
export function createStateReport(gauges: Instruments, sources: StateSources): () => Promise<void> {
  const { readiness, submissions, chainClient, store, funds } = sources
  const { denom } = funds

  function reportEngine(): void {
    const { blockers, height, openSlots, unsettled, withoutTxId, verification } = submissions.health()
    const present = new Set<string>(blockers.map(({ kind }) => kind))
    for (const kind of BLOCKER_KINDS) gauges.blocker.set({ kind }, Number(present.has(kind)))
    gauges.leading.set(Number(openSlots !== undefined))
    gauges.unsettled.set(unsettled)
    gauges.withoutTxId.set(withoutTxId)
    const { proven, differing } = verification ?? { proven: 0, differing: [] }
    gauges.verified.set({ outcome: 'proven' }, proven)
    gauges.verified.set(
      { outcome: 'different' },
      differing.reduce((total, { count }) => total + count, 0)
    )
    if (height !== undefined) gauges.engineHeight.set(height)
  }

  function reportNodes(): void {
    for (const { host: node, reading, sending, height } of chainClient.health()) {
      gauges.nodeUsable.set({ node, use: 'reading' }, Number(reading))
      gauges.nodeUsable.set({ node, use: 'sending' }, Number(sending))
      if (height !== undefined) gauges.nodeHeight.set({ node }, height)
    }
  }

  async function reportOldest(): Promise<void> {
    const age = store.oldestUnsettled().then((oldest = store.now()) => Math.max(0, store.now() - oldest))
    gauges.oldest.set(seconds(await age.catch(() => Number.NaN)))
  }

  function setAmount(gauge: Instruments['balance'], amount: bigint | undefined): void {
    if (amount === undefined) gauge.reset()
    else gauge.set({ denom }, Number(amount))
  }

  async function reportFees(): Promise<void> {
    setAmount(gauges.dailyFeeLimit, funds.dailyFeeLimit)
    setAmount(gauges.feesPaid, await store.feesPaidToday().catch(() => undefined))
  }

  async function reportBalance(): Promise<void> {
    const { balance } = funds
    const read = balance.read().catch(() => undefined)
    setAmount(gauges.balance, await within(BALANCE_MS, read, () => undefined))
  }

  async function reportReadiness(): Promise<void> {
    const { ready, checks } = await readiness()
    gauges.ready.set(Number(ready))
    for (const [check, { ok }] of Object.entries(checks)) gauges.check.set({ check }, Number(ok))
  }

  async function reportWebhooks(): Promise<void> {
    if (store.outbox === undefined) return
    const backlog = await store.outbox.backlog().catch(() => undefined)
    const { pending, oldestPendingAt = store.now(), abandoned } = backlog ?? {}
    const ageMs = backlog ? Math.max(0, store.now() - oldestPendingAt) : Number.NaN
    gauges.eventsPending.set(pending ?? Number.NaN)
    gauges.oldestEvent.set(seconds(ageMs))
    gauges.eventsAbandoned.set(abandoned ?? Number.NaN)
  }

  return async () => {
    reportEngine()
    reportNodes()
    await Promise.all([reportReadiness(), reportOldest(), reportFees(), reportBalance(), reportWebhooks()])
  }
}
