import { isSettled } from '../../services/submission/view.ts'
import { CAPS, GAS_PRICE } from './chain/app.ts'
import { createNetwork } from './chain/network.ts'
import { createDice } from './faults/calls.ts'
import { scheduleFaults } from './faults/lasting.ts'
import { createCosts } from './oracle/costs.ts'
import { createInvariants } from './oracle/invariants.ts'
import { verdict } from './oracle/verdict.ts'
import { createWitness } from './oracle/witness.ts'
import { drawPlan, type Fault, type Plan } from './plan.ts'
import { createRandom } from './random.ts'
import { type BrokenRule, createHost } from './service/replica.ts'
import { createDisk } from './store/disk.ts'
import { createMemoryDatabase } from './store/memory-database.ts'
import { createSubmitters } from './submitters.ts'
import { createVirtualClock } from './time/virtual-clock.ts'

/** Maximum time from the last fault until everything is settled, plus an allowance per submission. */
const PATIENCE_MS = 120_000
const PATIENCE_PER_SUBMISSION_MS = 6000

/** The same if a node is slow: a message that fails is simulated about a hundred times before it is rejected. */
const PATIENCE_PER_SLOW_SUBMISSION_MS = 15_000

/** How long a refusal waits in vain for a second node. */
const PATIENCE_WITHOUT_SECOND_NODE_MS = 1_200_000

const BLOCKS_AFTERWARDS = 3

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Faults that let nodes make the wallet pay up to the maximum gas price. */
const PRICE_FAULTS: readonly Fault[] = ['fee-raised', 'fee-creeps', 'fee-absurd']

export type Outcome = Awaited<ReturnType<typeof simulate>>

/** Returns whether a refusal can wait in vain for a second node. */
const isAlone = ({ faults }: Plan) => faults.has('node-frozen') || faults.has('node-elsewhere')

function patienceMs(plan: Plan): number {
  const { faults, submissions } = plan
  const alone = isAlone(plan) ? PATIENCE_WITHOUT_SECOND_NODE_MS : 0
  const each = faults.has('slow-simulation') ? PATIENCE_PER_SLOW_SUBMISSION_MS : PATIENCE_PER_SUBMISSION_MS
  return PATIENCE_MS + submissions.length * each + alone
}

/** `only` has the faults to choose from; leaving out a fault does not change the rest of the plan. */
type Options = { only?: readonly Fault[]; write?: (line: string) => void; broken?: BrokenRule }

/** Runs one schedule: the real engine on the development network's chain, with the seed's faults. */
export async function simulate(seed: number, { only, write, broken }: Options = {}) {
  const plan = drawPlan(seed, only)
  const clock = createVirtualClock()
  const names = new Map<string, string>()
  const failures: string[] = []

  /** Replaces random ids with numbers, so that every run produces the same trace. */
  const naming = (text: string) =>
    text.replaceAll(UUID, id => {
      const name = names.get(id) ?? `#${names.size + 1}`
      names.set(id, name)
      return name
    })

  function trace(line: () => string): void {
    write?.(`${(clock.elapsed() / 1000).toFixed(3).padStart(8)}  ${naming(line())}`)
  }

  function fail(reason: string): void {
    trace(() => `FAILURE: ${reason}`)
    failures.push(naming(reason))
  }

  trace(() => `plan: seed ${seed}, faults: ${[...plan.faults].join(', ') || 'none'}`)
  const random = createRandom(seed, 'world')
  const dice = createDice(seed, plan.faults)
  const context = { plan, clock, random, dice, trace, fail }
  const database = createMemoryDatabase(clock.now)
  const network = createNetwork(context)
  const { chain, record } = network
  const healthy = random.pick(network.nodes)
  const disk = createDisk(database.context)
  const witness = createWitness(disk, record, fail)
  const store = { isDown: false }
  const invariants = createInvariants(disk, network, fail)
  const priceFactor = PRICE_FAULTS.some(fault => plan.faults.has(fault)) ? CAPS.maxPriceFactor : 1
  const costs = createCosts(disk, network, GAS_PRICE * priceFactor, isAlone(plan))

  async function onStoreChange(): Promise<void> {
    await disk.look()
    invariants.check()
    costs.check()
  }

  const service = { ...context, database, broken, store, network, costs, onStoreChange }
  const host = createHost(service)
  const submitters = createSubmitters(host, witness, context)

  function setBack(restore: () => void): void {
    host.killFor(async () => {
      restore()
      await disk.look()
      trace(() => `store: set back to ${disk.submissions.size} submissions`)
      invariants.forget()
      witness.forget()
    })
  }

  const spareNodes = network.nodes.filter(node => node !== healthy)
  scheduleFaults({ ...service, host, disk, spareNodes, setBack })
  const firstHeight = chain.height
  let isHealed = false
  clock.after(plan.faultsEndMs + 1, () => {
    trace(() => 'plan: no more faults')
    dice.rest()
    isHealed = true
  })
  network.start()
  host.start()
  plan.submissions.forEach(submitters.start)

  const isQuiet = () =>
    submitters.busy() === 0 &&
    disk.walletState?.cursorHeight === chain.height &&
    [...disk.submissions.values()].every(({ submission }) => isSettled(submission))

  const hasFailed = () => failures.length > 0
  const latestMs = plan.faultsEndMs + patienceMs(plan)
  const untilQuietFrom = (height: number) =>
    clock.run(() => hasFailed() || (chain.height >= height && isQuiet()) || clock.elapsed() > latestMs)

  await clock.run(() => hasFailed() || isHealed)
  await untilQuietFrom(chain.height)
  await untilQuietFrom(chain.height + BLOCKS_AFTERWARDS)
  await disk.look()
  if (!hasFailed()) {
    if (submitters.busy() > 0) fail(`${submitters.busy()} clients never finished`)
    if (!isQuiet()) fail(`not everything is settled ${patienceMs(plan) / 1000} s after the last fault`)
    verdict(disk, record, witness, fail)
    // The costs of submissions that the store lost are unknown.
    if (!plan.faults.has('store-set-back')) costs.verdict().forEach(fail)
  }
  await database.close()
  const counters = {
    submissions: disk.submissions.size,
    starts: host.starts(),
    blocks: chain.height - firstHeight
  }
  return { seed, faults: [...plan.faults], failures, ...counters }
}
