import { join } from 'node:path'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { leadingStore } from '../../test/helpers/leading-store.ts'
import type { Benchmark } from '../lab.ts'
import type { Figure } from '../report/figures.ts'
import { median } from '../statistics.ts'
import { addPast } from './past.ts'
import { createStoreCycle, type StoreCycle } from './store-cycle.ts'

const PAST = 1_000_000
const SHORT_PAST = 10_000
const CYCLES = 200
const TOGETHER = 64
const PACKED_AT_MOST = 500

/** The engine's operations on its store, in their order. */
const operations: [name: string, run: (cycle: StoreCycle) => Promise<void>][] = [
  [`take ${TOGETHER}`, cycle => cycle.take(TOGETHER)],
  ['take one again', cycle => cycle.takeAgain()],
  ['read the queue', cycle => cycle.queued(PACKED_AT_MOST)],
  [`open a slot with ${TOGETHER}`, cycle => cycle.pack()],
  [`apply a block with ${TOGETHER}`, cycle => cycle.apply()],
  ['find one', cycle => cycle.find()],
  ['count the backlog and find its oldest', cycle => cycle.backlog()]
]

/** Makes a store with a signer and that many committed submissions, each as the engine writes it. */
async function makeStore(directory: string, submissions: number): Promise<void> {
  const store = await leadingStore(createSqliteStore(directory))
  const account = { address: 'service1example', chainId: 'example-1', accountNumber: 0n }
  await store.putSigner({ ...account, nextSequence: 0, cursorHeight: 0, cursorHash: '', probePassed: false })
  const cycle = createStoreCycle(store, { sequence: 0, height: 0 })
  await cycle.take(1)
  await cycle.pack()
  await cycle.apply()
  await store.close()
  if (submissions > 0) addPast(directory, 0, submissions)
}

async function openStore(directory: string, submissions: number) {
  await makeStore(directory, submissions)
  const begin = performance.now()
  const store = await leadingStore(createSqliteStore(directory))
  await store.openVariants()
  await store.countUnsettled()
  const openedMs = performance.now() - begin
  return {
    store,
    openedMs,
    cycle: createStoreCycle(store, { sequence: 1, height: 1 }),
    times: operations.map((): number[] => [])
  }
}

type Opened = Awaited<ReturnType<typeof openStore>>

async function runCycle({ cycle, times }: Opened): Promise<void> {
  for (const [index, [, run]] of operations.entries()) {
    const begin = performance.now()
    await run(cycle)
    times[index]?.push(performance.now() - begin)
  }
}

/** Whether a store with a million past submissions is slower than an empty one. */
export const store: Benchmark = async ({ directory, isShort }) => {
  const past = isShort ? SHORT_PAST : PAST
  const empty = await openStore(join(directory, 'empty'), 0)
  const full = await openStore(join(directory, 'full'), past)
  // In turns, so that both run on an equally busy machine.
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await runCycle(empty)
    await runCycle(full)
  }
  await empty.store.close()
  await full.store.close()

  const beside = (value: number) => [{ label: 'empty store', value }]
  const totals = ({ times }: Opened) =>
    Array.from({ length: CYCLES }, (_, cycle) => times.reduce((sum, all) => sum + (all[cycle] ?? 0), 0))
  const figures: Figure[] = operations.map(([name], index) => ({
    name,
    unit: 'ms',
    value: median(full.times[index] ?? []),
    beside: beside(median(empty.times[index] ?? []))
  }))
  const whole = { value: median(totals(full)), beside: median(totals(empty)) }
  return {
    name: 'store',
    conditions: `the store alone, ${CYCLES} cycles by turns on a store with ${past.toLocaleString('en')} past submissions and on an empty one; medians`,
    figures: [
      {
        name: 'all of it, as a ratio',
        unit: '',
        value: whole.value / whole.beside,
        target: { atMost: 1.2 }
      },
      { name: 'all of it', unit: 'ms', value: whole.value, beside: beside(whole.beside) },
      ...figures,
      {
        name: 'open and read what is open',
        unit: 'ms',
        value: full.openedMs,
        beside: beside(empty.openedMs)
      }
    ],
    notes: []
  }
}
